import { createEndOfTurn } from '#libs/runtime/end-of-turn.js'
import type { Share } from '#proto/snipkeep/content/v1/share_service.js'
import { publicReadHeaders } from '../../http/cors.js'
import { quoteTag } from '../../http/entity-tag.js'
import type { HotRequest, HotRoute } from '../../http/fast-responses.js'
import { sendHot } from '../../http/send-fast.js'
import type { RateLimits } from '../../pipeline/rate-limit.js'
import type { FoundShare, ShareMemory } from './share-cache.js'
import { type ShareAnswers, shareCaching } from './share-response.js'

/** What shares are answered from. */
export interface HotShareParts {
  readonly shares: ShareMemory
  readonly answers: ShareAnswers
  readonly limits: Pick<RateLimits, 'ofNobody' | 'take'>
}

interface Prepared {
  readonly etag: string
  readonly body: string
}

/** `GET /api/shares/{id}` of a share that is remembered. */
export function hotShare({ shares, answers, limits }: HotShareParts): HotRoute {
  const send = sendHot(publicReadHeaders)
  const endOfTurn = createEndOfTurn()
  const known = new WeakMap<Share, Prepared>()

  const prepare = ({ share }: FoundShare): Prepared => {
    const found = known.get(share)
    if (found !== undefined) return found
    const [before, after] = answers.envelope(share)
    const data = share.data?.$case === 'inline' ? share.data.value : Buffer.alloc(0)
    const body = Buffer.concat([before, data, after]).toString('latin1')
    const prepared = { etag: quoteTag(share.etag), body }
    known.set(share, prepared)
    return prepared
  }

  const answer = async (found: FoundShare, { response, requestId, address }: HotRequest) => {
    const limit = limits.ofNobody(address)
    const place = { limit, admission: await limits.take(limit) }
    if (place.admission?.admitted === false) return { left: { place } }
    // One after another, each answer would wake up whoever waits for it; together only the first of them does.
    await endOfTurn()
    const { etag, body } = prepare(found)
    const cacheControl = shareCaching(shares.timeLeftMs(found))
    send(response, { requestId, place, etag, cacheControl }, body)
    return { caller: null }
  }

  return {
    path: '/api/shares/{id}',
    begin(id, request) {
      const found = shares.find(id)
      return found === null ? null : answer(found, request)
    },
  }
}
