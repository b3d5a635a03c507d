import { type CallContext, callUnary } from '#libs/grpc/call.js'
import { fromFailure } from '#libs/grpc/status.js'
import type {
  GetShareRequest,
  GetShareResponse,
  ShareResult,
  ShareServiceClient,
} from '#proto/snipkeep/content/v1/share_service.js'
import { batchReads, detachedData } from '../batch-reads.js'

/**
 * @throws DomainError as content's `GetShare`.
 */
export type LoadShare = (request: GetShareRequest, context: CallContext) => Promise<GetShareResponse>

function settledOf({ result }: ShareResult): PromiseSettledResult<GetShareResponse> {
  if (result?.$case === 'failure') return { status: 'rejected', reason: fromFailure(result.value) }
  if (result === undefined) return { status: 'rejected', reason: new Error('content returned no result') }
  const { share, timeLeftMs } = result.value
  const detached = share === undefined ? undefined : { ...share, data: detachedData(share.data) }
  return { status: 'fulfilled', value: { share: detached, timeLeftMs } }
}

/** Loads shares from content. Cached shares expire together when they were first read together, hence the batches. */
export function createLoadShare(client: ShareServiceClient): LoadShare {
  const load = batchReads<GetShareRequest, GetShareResponse>(
    ({ request, context }) => callUnary(client, client.getShare, request, context),
    async (reads) => {
      const batch = {
        requests: reads.map(({ request }) => request),
        requestIds: reads.map(({ context }) => context.requestId),
      }
      const { results } = await callUnary(client, client.batchGetShares, batch, reads[0].context)
      return results.map(settledOf)
    },
  )
  return (request, context) => load({ request, context })
}
