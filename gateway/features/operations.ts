import type { Operation } from '../http/operation.js'
import type { PublicHandler } from '../request/request-context.js'
import { accountOperations } from './account/account-operations.js'
import { closureOperations } from './account/closure-operations.js'
import { apiKeyOperations } from './api-keys/api-key-operations.js'
import { archiveOperations } from './archive/archive-operations.js'
import { checkOperations } from './checks/check-operations.js'
import { compareOperation } from './compare/compare-operation.js'
import { contractOperations } from './contracts/contract-operations.js'
import { apiSummary } from './docs/api-summary.js'
import { documentationOperations } from './docs/docs-operations.js'
import { docsPage, indexedDocs } from './docs/docs-page.js'
import { openApiDocument } from './docs/openapi-document.js'
import { eventOperations } from './events/event-operations.js'
import type { FeatureDependencies } from './feature-dependencies.js'
import { type CheckReadiness, healthOperations } from './health/health-operations.js'
import { historyOperations } from './history/history-operations.js'
import { mcpOperation } from './mcp/mcp-operation.js'
import { operatorOperations } from './operator/operator-operations.js'
import { reportOperation } from './reports/report-operation.js'
import { revisionOperations } from './revisions/revision-operations.js'
import { shareHandlers } from './shares/share-handlers.js'
import { shareOperations } from './shares/share-operations.js'
import { snippetHandlers } from './snippets/snippet-handlers.js'
import { snippetOperations } from './snippets/snippet-operations.js'
import { subscriptionOperations } from './subscriptions/subscription-operations.js'
import { toolOperations } from './tools/tool-operations.js'
import { exchangeOperations } from './trusted-publishers/exchange-operations.js'
import { trustedPublisherOperations } from './trusted-publishers/trusted-publisher-operations.js'

/** Every operation of the REST API, including its documentation. */
export function allOperations(
  dependencies: FeatureDependencies,
  checkReadiness: CheckReadiness,
  webhook: PublicHandler,
): readonly Operation[] {
  const operations: Operation[] = []
  const document = once(() => openApiDocument(operations, dependencies.publicBaseUrl))
  const indexed = dependencies.indexing ? indexedDocs(dependencies.publicBaseUrl) : null
  const page = once(() => docsPage(operations, document(), { tools: dependencies.tools, indexed }))
  const snippets = snippetHandlers(dependencies)
  const shares = shareHandlers(dependencies)
  const keepers = {
    createSnippet: snippets.create,
    putSnippet: snippets.put,
    createShare: shares.create,
  }
  operations.push(
    ...snippetOperations(dependencies, snippets),
    ...revisionOperations(dependencies),
    ...contractOperations(dependencies),
    ...checkOperations(dependencies),
    ...shareOperations(dependencies, shares),
    reportOperation(dependencies),
    ...(dependencies.tools ? [compareOperation(dependencies), ...toolOperations(dependencies, keepers)] : []),
    ...historyOperations(dependencies),
    ...apiKeyOperations(dependencies),
    ...trustedPublisherOperations(dependencies),
    ...exchangeOperations(dependencies),
    ...accountOperations(dependencies),
    ...closureOperations(dependencies),
    ...eventOperations(dependencies),
    ...archiveOperations(dependencies),
    ...(dependencies.everyoneIsPro ? [] : subscriptionOperations(dependencies, webhook)),
    ...operatorOperations(dependencies),
    mcpOperation(dependencies),
    ...documentationOperations({
      document: once(() => JSON.stringify(document())),
      page: (nonce) => page()(nonce),
      summary: once(() => apiSummary(operations, document(), dependencies.publicBaseUrl)),
      isIndexed: dependencies.indexing,
    }),
    ...healthOperations(checkReadiness),
  )
  return operations
}

/** Calls the function at most once, and keeps its result. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
