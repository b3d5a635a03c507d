import { createAfterCurrentTick } from '#libs/runtime/after-current-tick.js'
import type { Share } from '#proto/snipkeep/content/v1/share_service.js'
import { quoteTag } from '../../http/entity-tag.js'
import type { FastRead, FastResponse } from '../../http/operation.js'
import type { FoundShare, ShareCache } from './share-cache.js'
import { type ShareResponses, shareCaching } from './share-response.js'

/** `GET /api/shares/{id}` from the cache. */
export function fastShareRead(shares: ShareCache, responses: ShareResponses): FastRead {
  const afterCurrentTick = createAfterCurrentTick()
  const prepared = new WeakMap<Share, FastResponse>()

  const prepare = ({ share }: FoundShare): FastResponse => {
    const known = prepared.get(share)
    if (known !== undefined) return known
    const [before, after] = responses.envelope(share)
    const data = share.data?.$case === 'inline' ? share.data.value : Buffer.alloc(0)
    const body = Buffer.concat([before, data, after]).toString('latin1')
    const response = { etag: quoteTag(share.etag), body }
    prepared.set(share, response)
    return response
  }

  return (id) => {
    const found = shares.find(id)
    if (found === null) return null
    return async () => {
      // Deferred and sent together: sent one by one, each response would wake its client separately.
      await afterCurrentTick()
      const { etag, body } = prepare(found)
      return { etag, body, cacheControl: shareCaching(shares.timeLeftMs(found)) }
    }
  }
}
