import { createCallCarrier } from '#libs/grpc/batch/call-carrier.js'
import { createBreaker } from '#libs/grpc/breaker.js'
import { type GuardedClient, guardClient } from '#libs/grpc/call.js'
import { clientOptions, streamOptions } from '#libs/grpc/client-options.js'
import { healthClient } from '#libs/grpc/health-client.js'
import { type ChannelTo, openClient } from '#libs/grpc/open-client.js'
import type { Transport } from '#libs/grpc/transport.js'
import { bytesMessage, bytesOnlyField } from '#libs/grpc/zero-copy/bytes-field.js'
import type { Logger } from '#libs/log/logger.js'
import { HistoryServiceClient } from '#proto/snipkeep/activity/v1/history_service.js'
import { BatchServiceClient } from '#proto/snipkeep/batch/v1/batch_service.js'
import { OperatorServiceClient as BillingOperatorClient } from '#proto/snipkeep/billing/v1/operator_service.js'
import { SubscriptionServiceClient } from '#proto/snipkeep/billing/v1/subscription_service.js'
import { CheckServiceClient } from '#proto/snipkeep/content/v1/check_service.js'
import { ContractServiceClient } from '#proto/snipkeep/content/v1/contract_service.js'
import {
  type DocumentServiceClient,
  DocumentServiceService,
} from '#proto/snipkeep/content/v1/document_service.js'
import { ImportServiceClient } from '#proto/snipkeep/content/v1/import_service.js'
import { OperatorServiceClient as ContentOperatorClient } from '#proto/snipkeep/content/v1/operator_service.js'
import { ReportServiceClient } from '#proto/snipkeep/content/v1/report_service.js'
import { RevisionServiceClient } from '#proto/snipkeep/content/v1/revision_service.js'
import { ShareServiceClient } from '#proto/snipkeep/content/v1/share_service.js'
import { SnippetServiceClient } from '#proto/snipkeep/content/v1/snippet_service.js'
import { UsageServiceClient } from '#proto/snipkeep/content/v1/usage_service.js'
import { AccountServiceClient } from '#proto/snipkeep/identity/v1/account_service.js'
import { ApiKeyServiceClient } from '#proto/snipkeep/identity/v1/api_key_service.js'
import { ErasureServiceClient } from '#proto/snipkeep/identity/v1/erasure_service.js'
import { EventServiceClient } from '#proto/snipkeep/identity/v1/event_service.js'
import { OperatorServiceClient as IdentityOperatorClient } from '#proto/snipkeep/identity/v1/operator_service.js'
import { TrustedPublisherServiceClient } from '#proto/snipkeep/identity/v1/trusted_publisher_service.js'
import { type JobServiceClient, JobServiceService } from '#proto/snipkeep/tools/v1/job_service.js'

const { writeDocument, readDocument } = DocumentServiceService
const { runJob } = JobServiceService

/** The generated service, but written chunks are copied only once, and read chunks are views of the received bytes. */
export const rawDocumentService: typeof DocumentServiceService = {
  ...DocumentServiceService,
  writeDocument: {
    ...writeDocument,
    requestSerialize: ({ part }) =>
      part?.$case === 'chunk' ? bytesMessage(2, part.value) : writeDocument.requestSerialize({ part }),
  },
  readDocument: {
    ...readDocument,
    responseDeserialize(message) {
      const chunk = bytesOnlyField(1, message)
      return chunk === null ? readDocument.responseDeserialize(message) : { chunk }
    },
  },
}

/**
 * The flow-control window of a document read. With HTTP/2's default of 64 KiB, both ends keep waiting for each other
 * and a download of 50 MB takes a seventh longer; beyond 512 KiB, a larger window saves at most another twelfth.
 * Different options also give the channel its own connection, so that small responses do not queue behind documents.
 */
const windowBytes = 1_572_864

export function openDocumentClient(to: ChannelTo): DocumentServiceClient {
  const options = { ...streamOptions(to.options), 'grpc-node.flow_control_window': windowBytes }
  return openClient(rawDocumentService, { ...to, options })
}

/** The generated service, but chunks are copied only once on their way out, and are views when they arrive. */
const rawJobService: typeof JobServiceService = {
  runJob: {
    ...runJob,
    requestSerialize: ({ part }) =>
      part?.$case === 'chunk' ? bytesMessage(2, part.value) : runJob.requestSerialize({ part }),
    responseDeserialize(message) {
      const chunk = bytesOnlyField(1, message)
      return chunk === null ? runJob.responseDeserialize(message) : { chunk, notes: [] }
    },
  },
}

/** A client of the process that runs tools and comparisons. */
function openJobClient(to: ChannelTo): JobServiceClient {
  return openClient(rawJobService, { ...to, options: streamOptions(to.options) })
}

type Methods = Readonly<Record<string, readonly string[]>>

/** @param names of the methods of each service, with spaces between. */
function methodsOf(names: Readonly<Record<string, string>>): Methods {
  return Object.fromEntries(Object.entries(names).map(([service, text]) => [service, text.split(' ')]))
}

/** Calls that are safe to retry. */
const retryable = methodsOf({
  'snipkeep.identity.v1.AccountService': 'ResolveCaller CloseAccount RestoreAccount',
  'snipkeep.identity.v1.ErasureService': 'CountRestored',
  'snipkeep.identity.v1.ApiKeyService':
    'GetApiKey ListApiKeys GetApiKeyUsage ResolveApiKey RecordApiKeyUsage',
  'snipkeep.identity.v1.EventService': 'ListEvents RecordEvents',
  'snipkeep.identity.v1.TrustedPublisherService':
    'GetTrustedPublisher ListTrustedPublishers ListTrustedPublisherEvents ResolveAccessToken RevokeAccessToken RecordTrustedPublisherUsage',
  'snipkeep.activity.v1.HistoryService': 'GetEntry ListEntries CountEntries ImportEntries',
  'snipkeep.content.v1.SnippetService': 'GetSnippet BatchGetSnippets ListSnippets CheckSnippetQuota',
  'snipkeep.content.v1.RevisionService': 'ListRevisions GetRevision',
  'snipkeep.content.v1.ShareService': 'GetShare GetGatedShare BatchGetShares ListShares',
  'snipkeep.content.v1.ContractService': 'GetContract',
  'snipkeep.content.v1.CheckService': 'GetBaseline GetCheck ListChecks',
  'snipkeep.content.v1.ImportService': 'FindImported ImportSnippet ImportRevision ImportShare',
  'snipkeep.content.v1.UsageService': 'GetUsage',
  'snipkeep.content.v1.ReportService': 'ListReports ResolveReport',
  'snipkeep.content.v1.OperatorService': 'GetShareRecord SetShareDisabled SetOwnerSuspended ListQueues',
  'snipkeep.identity.v1.OperatorService': 'SearchAccounts SetSuspended ListActs ListClosing ListQueues',
  'snipkeep.billing.v1.OperatorService': 'GetBillingRecord GrantPlan GetPaymentState',
  'snipkeep.billing.v1.SubscriptionService': 'GetSubscription ListPrices',
})

/** Frequent calls, which travel on open streams. */
const carried = methodsOf({
  'snipkeep.identity.v1.AccountService': 'ResolveCaller',
  'snipkeep.identity.v1.ApiKeyService': 'ResolveApiKey',
  'snipkeep.identity.v1.TrustedPublisherService': 'ResolveAccessToken',
  'snipkeep.activity.v1.HistoryService': 'RecordEntry ListEntries',
  'snipkeep.content.v1.SnippetService':
    'CreateSnippet PutSnippet GetSnippet BatchGetSnippets ListSnippets UpdateSnippet DeleteSnippet',
  'snipkeep.content.v1.ShareService': 'CreateShare GetShare BatchGetShares ListShares DeleteShare',
})

function pathsOf(methods: Methods): ReadonlySet<string> {
  return new Set(
    Object.entries(methods).flatMap(([service, names]) => names.map((name) => `/${service}/${name}`)),
  )
}

const retryablePaths = pathsOf(retryable)
const carriedPaths = pathsOf(carried)

/** gRPC addresses. */
export type UpstreamTargets = Readonly<
  Record<'content' | 'identity' | 'activity' | 'billing' | 'tools', string>
>

/** How long a process may take to report SERVING. */
const probeTimeoutMs = 1_000

/** Opens clients of one process, which share its breaker and its carrier, and watches its health. */
function watch(process: keyof UpstreamTargets, to: ChannelTo, log: Logger) {
  const { target, credentials, options } = to
  const health = healthClient(target, credentials, options)
  const isServing = (): Promise<boolean> => health.isServing(probeTimeoutMs)
  const breaker = createBreaker({ process, isServing, log, now: () => performance.now() })
  const batchClient = guardClient(new BatchServiceClient(target, credentials, options), { breaker })
  const carrier = createCallCarrier(batchClient, carriedPaths, (path) => retryablePaths.has(path))
  const opened: { close(): void }[] = [carrier, batchClient, breaker, health]
  const guard = <Client extends GuardedClient>(client: Client): Client => {
    opened.unshift(client)
    return guardClient(client, { breaker, carrier })
  }
  return {
    health,
    open: <Client extends GuardedClient>(
      Service: new (...address: [string, typeof credentials, typeof options]) => Client,
    ): Client => guard(new Service(target, credentials, options)),
    openBy: <Client extends GuardedClient>(open: (to: ChannelTo) => Client): Client => guard(open(to)),
    close() {
      for (const one of opened) one.close()
    },
  }
}

/** Channels connect on first use, and reconnect by themselves. */
export function openUpstreams(targets: UpstreamTargets, transport: Transport, log: Logger) {
  const options = clientOptions(retryable)
  const processes: { close(): void }[] = []
  const at = (process: keyof UpstreamTargets): ReturnType<typeof watch> => {
    const credentials = transport.channelCredentials(process)
    const watched = watch(process, { target: targets[process], credentials, options }, log)
    processes.push(watched)
    return watched
  }
  const [content, identity, activity] = [at('content'), at('identity'), at('activity')]
  const [billing, tools] = [at('billing'), at('tools')]
  return {
    accounts: identity.open(AccountServiceClient),
    apiKeys: identity.open(ApiKeyServiceClient),
    erasures: identity.open(ErasureServiceClient),
    events: identity.open(EventServiceClient),
    trustedPublishers: identity.open(TrustedPublisherServiceClient),
    history: activity.open(HistoryServiceClient),
    snippets: content.open(SnippetServiceClient),
    revisions: content.open(RevisionServiceClient),
    shares: content.open(ShareServiceClient),
    contracts: content.open(ContractServiceClient),
    checks: content.open(CheckServiceClient),
    reports: content.open(ReportServiceClient),
    /** What operators do, by service. */
    operators: {
      accounts: identity.open(IdentityOperatorClient),
      shares: content.open(ContentOperatorClient),
      payments: billing.open(BillingOperatorClient),
    },
    imports: content.open(ImportServiceClient),
    documents: content.openBy(openDocumentClient),
    usage: content.open(UsageServiceClient),
    subscriptions: billing.open(SubscriptionServiceClient),
    jobs: tools.openBy(openJobClient),
    /**
     * By process name, for readiness. Billing and tools are excluded: everything except payments, tools and comparisons
     * works without them.
     */
    health: { content: content.health, identity: identity.health, activity: activity.health },
    close() {
      for (const process of processes) process.close()
    },
  }
}

/** Clients of the services behind the gateway. */
export type Upstreams = Readonly<ReturnType<typeof openUpstreams>>
