import type { PlanCatalogue } from '#shared/core/plan.js'
import { shortCall } from '../../http/call-context.js'
import { privateReadHeaders } from '../../http/cors.js'
import { quoteTag } from '../../http/entity-tag.js'
import type { Caller } from '../../http/exchange.js'
import type { HotEnd, HotRequest, HotRoute } from '../../http/fast-responses.js'
import { sendHot } from '../../http/send-fast.js'
import type { Authenticate } from '../../pipeline/authenticate.js'
import { authorize } from '../../pipeline/authorize.js'
import type { RateLimits } from '../../pipeline/rate-limit.js'
import type { ReadSnippet } from './read-snippet.js'

/** What snippets are read with. */
export interface HotSnippetParts {
  readonly authenticate: Authenticate
  readonly limits: Pick<RateLimits, 'ofCaller' | 'take'>
  readonly plans: PlanCatalogue
  readonly readSnippet: ReadSnippet
}

const operation = { method: 'get', access: 'account' } as const

/** `GET /api/snippets/{id}` of a snippet whose data is small. */
export function hotSnippet({ authenticate, limits, plans, readSnippet }: HotSnippetParts): HotRoute {
  const send = sendHot(privateReadHeaders)

  const read = async (id: string, caller: Caller, hot: HotRequest): Promise<HotEnd> => {
    const { response, requestId, address } = hot
    const identified = Promise.resolve(caller)
    const limit = limits.ofCaller(address, caller, false)
    const place = { limit, admission: await limits.take(limit) }
    if (place.admission?.admitted === false) return { left: { identified, place } }
    try {
      authorize(operation, caller, plans)
      const request = { ownerId: caller.accountId, id, includeData: true }
      const { snippet, text } = await readSnippet(request, shortCall(hot))
      if (text === null) return { left: { identified, place } }
      send(response, { requestId, place, etag: quoteTag(snippet.etag) }, text)
      return { caller }
    } catch (failure) {
      return { left: { identified, place, failure } }
    }
  }

  return {
    path: '/api/snippets/{id}',
    async begin(id, hot) {
      const identified = authenticate(hot.request, hot.address, shortCall(hot))
      let caller: Caller
      try {
        caller = await identified
      } catch {
        return { left: { identified } }
      }
      return read(id, caller, hot)
    },
  }
}
