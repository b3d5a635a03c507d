import type { ServerResponse } from 'node:http'
import type { Begun } from '../pipeline/begun.js'
import { rateHeaders } from '../rate-limits/rate-limited.js'
import { securityHeaders } from './security-headers.js'
import { headerLine, sendWhole } from './send-whole.js'

/** What an answer says beside its body. */
export interface HotHead {
  readonly requestId: string
  readonly place: NonNullable<Begun['place']>
  readonly etag: string
  /** Only where it differs from that of private answers. */
  readonly cacheControl?: string
}

/** Sends answers of one kind; the body is given as a text with a character for each of its bytes. */
export type SendHot = (response: ServerResponse, head: HotHead, body: string) => void

/**
 * A sender of answers whose headers are those of the app, as one text: Node takes three times as long for headers that
 * are set one by one, and as long again for a body that is not sent together with them.
 * @param headers that this kind has beside, or instead of, those of every answer.
 */
export function sendHot(headers: Readonly<Record<string, string>>): SendHot {
  const { 'Cache-Control': privately = '', ...rest } = { ...securityHeaders, ...headers }
  const always = Object.entries({ ...rest, 'Content-Type': 'application/json; charset=utf-8' })
    .map(([name, value]) => headerLine(name, value))
    .join('')
  return (response, { requestId, place, etag, cacheControl = privately }, body) => {
    let lines = always + headerLine('X-Request-Id', requestId) + headerLine('Cache-Control', cacheControl)
    const { policy } = place.limit
    if (policy !== null && place.admission !== null)
      for (const [name, value] of rateHeaders(policy, place.admission)) lines += headerLine(name, value)
    lines += headerLine('ETag', etag) + headerLine('Content-Length', body.length)
    sendWhole(response, 200, lines, body)
  }
}
