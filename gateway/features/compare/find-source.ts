import { DomainError } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import type { Snippet } from '#proto/snipkeep/content/v1/snippet_service.js'
import { isGatedShareId, isShareId } from '#shared/core/share-id.js'
import { notFound } from '../../request/problem.js'
import {
  type Caller,
  isId,
  isNameReference,
  type RequestContext,
  shortCall,
} from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { gatedShares, opened } from '../shares/gated-shares.js'
import type { ReadComparison, SideName } from './read-comparison.js'

/** The size and location of a document. */
export type Source = Pick<Snippet, 'sizeBytes' | 'data'>

/**
 * Finds the document of one side of a comparison.
 * @throws DomainError the same as a read of that document, with `side` added to its details.
 */
export type FindSource = (
  context: RequestContext,
  caller: Caller,
  name: SideName,
  comparison: ReadComparison,
) => Promise<Source>

/** Finds snippets and their versions by owner, and shares by their ids. */
export function createFindSource(
  parts: Pick<FeatureDependencies, 'upstreams' | 'readSnippet' | 'loadShare' | 'shares' | 'callerIfAny'>,
): FindSource {
  const {
    upstreams: { revisions },
    readSnippet,
    loadShare,
    shares: cache,
  } = parts
  const gated = gatedShares(parts)
  const find: FindSource = async (context, { accountId }, name, { fields, data }) => {
    const value = data[name]
    if (value !== null) return { sizeBytes: value.length, data: { $case: 'inline', value } }
    const { snippet, version, share } = fields[name]
    const call = shortCall(context)
    if (share !== undefined) {
      if (!isShareId(share)) throw notFound('This share')
      if (isGatedShareId(share)) return opened(await gated.find(context, share, accountId, true))
      const request = { id: share, includeData: true }
      return (await cache.resolve(share, () => loadShare(request, call))).share
    }
    if (!isId(snippet) && !isNameReference(snippet)) throw notFound('This snippet')
    const request = { ownerId: accountId, id: snippet, includeData: true }
    if (version === undefined) return (await readSnippet(request, call)).snippet
    const { revision } = await callUnary(revisions, revisions.getRevision, { ...request, version }, call)
    if (revision === undefined) throw new Error('content returned no version')
    return revision
  }
  return async (context, caller, name, comparison) => {
    try {
      return await find(context, caller, name, comparison)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      const { kind, code, message, details } = error
      throw new DomainError(kind, code, message, { ...details, side: name }, { cause: error })
    }
  }
}
