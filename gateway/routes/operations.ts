import type { PublicHandler } from '../exchange.js'
import { docsPage } from '../openapi/docs-page.js'
import { openApiDocument } from '../openapi/openapi-document.js'
import { accountOperations } from './account-operations.js'
import { apiKeyOperations } from './api-key-operations.js'
import { documentationOperations, taggedBody } from './documentation-operations.js'
import { type CheckReadiness, healthOperations } from './health-operations.js'
import { historyOperations } from './history-operations.js'
import type { Operation } from './operation.js'
import type { RouteParts } from './route-parts.js'
import { shareOperations } from './share-operations.js'
import { snippetOperations } from './snippet-operations.js'
import { subscriptionOperations } from './subscription-operations.js'

/** Every operation of the REST interface, the documentation of itself included. */
export function allOperations(
  parts: RouteParts,
  checkReadiness: CheckReadiness,
  webhook: PublicHandler,
): readonly Operation[] {
  const operations: Operation[] = []
  const document = once(() => openApiDocument(operations, parts.publicBaseUrl))
  const page = once(() => {
    const { html, styleHash } = docsPage(operations, document())
    return { ...taggedBody(html), styleHash }
  })
  operations.push(
    ...snippetOperations(parts),
    ...shareOperations(parts),
    ...historyOperations(parts),
    ...apiKeyOperations(parts),
    ...accountOperations(parts),
    ...(parts.everyoneIsPro ? [] : subscriptionOperations(parts, webhook)),
    ...documentationOperations({
      document: once(() => taggedBody(Buffer.from(JSON.stringify(document())))),
      page,
    }),
    ...healthOperations(checkReadiness),
  )
  return operations
}

/** The function whose first result answers every later call. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
