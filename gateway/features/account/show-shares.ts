import { isDown } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import type { Account } from '#proto/snipkeep/identity/v1/account_service.js'
import { allShares } from '#shared/core/share-invalidation.js'
import { type RequestContext, sideCall } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'

/** A call that the response can do without: `null` if its service is down. */
export async function unlessDown<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (isDown(error)) return null
    throw error
  }
}

/**
 * Hides the shares of a closed or suspended account at once, or shows them again. If content is down, or this process
 * ends first, content learns from identity: it has stored a step with the change.
 */
export async function showShares(
  { upstreams: { operators }, forgetShare }: Pick<FeatureDependencies, 'upstreams' | 'forgetShare'>,
  context: RequestContext,
  { id, suspended, erasedAfter }: Account,
  version: number,
): Promise<void> {
  const owner = { ownerId: id, suspended: suspended || erasedAfter !== undefined, version }
  await unlessDown(callUnary(operators.shares, operators.shares.setOwnerSuspended, owner, sideCall(context)))
  await forgetShare(allShares)
}
