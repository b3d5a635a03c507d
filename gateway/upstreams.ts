import type { Client } from '@grpc/grpc-js'
import { channelCredentials, clientOptions } from '#libs/grpc/client-options.js'
import { type HealthClient, healthClient } from '#libs/grpc/health-client.js'
import { DocumentServiceClient } from '#proto/snipkeep/content/v1/document_service.js'
import { ShareServiceClient } from '#proto/snipkeep/content/v1/share_service.js'
import { SnippetServiceClient } from '#proto/snipkeep/content/v1/snippet_service.js'
import { UsageServiceClient } from '#proto/snipkeep/content/v1/usage_service.js'
import { AccountServiceClient } from '#proto/snipkeep/identity/v1/account_service.js'

/** The services behind the gateway. */
export interface Upstreams {
  readonly accounts: AccountServiceClient
  readonly snippets: SnippetServiceClient
  readonly shares: ShareServiceClient
  readonly documents: DocumentServiceClient
  readonly usage: UsageServiceClient
  /** By the name of the process, for readiness. */
  readonly health: Readonly<Record<string, HealthClient>>
  close(): void
}

/** The calls that change nothing, and so may be tried again. */
const retryable = {
  'snipkeep.identity.v1.AccountService': ['ResolveCaller'],
  'snipkeep.content.v1.SnippetService': ['GetSnippet', 'ListSnippets', 'CheckSnippetQuota'],
  'snipkeep.content.v1.ShareService': ['GetShare', 'ListShares'],
  'snipkeep.content.v1.UsageService': ['GetUsage'],
}

/** Opens channels to content and identity; they connect when first used and reconnect by themselves. */
export function openUpstreams(targets: { readonly content: string; readonly identity: string }): Upstreams {
  const credentials = channelCredentials()
  const options = clientOptions(retryable)
  const accounts = new AccountServiceClient(targets.identity, credentials, options)
  const snippets = new SnippetServiceClient(targets.content, credentials, options)
  const shares = new ShareServiceClient(targets.content, credentials, options)
  const documents = new DocumentServiceClient(targets.content, credentials, options)
  const usage = new UsageServiceClient(targets.content, credentials, options)
  const health = {
    content: healthClient(targets.content, options),
    identity: healthClient(targets.identity, options),
  }
  const clients: readonly (Client | HealthClient)[] = [
    accounts,
    snippets,
    shares,
    documents,
    usage,
    ...Object.values(health),
  ]
  return {
    accounts,
    snippets,
    shares,
    documents,
    usage,
    health,
    close: () => {
      for (const client of clients) client.close()
    },
  }
}
