import { plainTransport } from '#libs/grpc/transport.js'
import { createLogger } from '#libs/log/logger.js'
import { testPlanLimits } from '#shared/testing/plan-limits.js'
import { createUploadBudget } from '../../../body/upload-budget.js'
import { createDocumentReads } from '../../../data/stored-data.js'
import type { Operation } from '../../../http/operation.js'
import { createMemorySlidingWindow } from '../../../rate-limits/memory-sliding-window.js'
import { openUpstreams } from '../../../upstreams.js'
import { allOperations } from '../../operations.js'
import { createLoadShare, createShareCache } from '../../shares/share-cache.js'
import { createReadSnippet } from '../../snippets/read-snippet.js'
import { createRunJob } from '../../tools/jobs.js'

const limits = testPlanLimits

const plans = { free: limits, pro: limits }

/** Every operation for its documentation; no service is behind them. */
export function documentedOperations(base: string) {
  const nowhere = '127.0.0.1:1'
  const upstreams = openUpstreams(
    { content: nowhere, identity: nowhere, activity: nowhere, billing: nowhere, tools: nowhere },
    plainTransport,
    createLogger('test', 'silent'),
  )
  const loadShare = createLoadShare(upstreams.shares)
  const operations: readonly Operation[] = allOperations(
    {
      upstreams,
      plans,
      listPlans: async () => ({ plans: [] }),
      publicBaseUrl: base,
      shareBaseUrl: base,
      corsOrigins: [],
      connect: () => {},
      uploads: createUploadBudget(1),
      compareBytesMax: 1,
      shareSecrets: 'warn',
      tools: true,
      indexing: true,
      runJob: createRunJob(upstreams.jobs),
      documentReads: createDocumentReads(
        upstreams.documents,
        createMemorySlidingWindow(() => 0),
        null,
      ),
      archiveQuota: { start: async () => ({ end: () => {} }) },
      everyoneIsPro: false,
      reauthenticate: async (_exchange, caller) => caller,
      callerIfAny: async () => null,
      limitCreates: async () => {},
      limitReports: async () => {},
      reporterOf: () => Buffer.alloc(32),
      operatorInEvents: false,
      forgetCaller: () => {},
      assertions: {
        issuers: [],
        verify: async () => {
          throw new Error('nothing is behind it')
        },
      },
      shares: createShareCache(() => 0, loadShare),
      forgetShare: async () => {},
      views: { count: () => {} },
      readSnippet: createReadSnippet(upstreams.snippets),
      loadShare,
    },
    async () => ({ ready: true, reachable: {} }),
    async () => {},
  )
  return { operations, plans, close: () => upstreams.close() }
}
