import type { ServerResponse } from 'node:http'
import { rateHeaders } from '../limits/rate-limited.js'
import { securityHeaders } from '../middleware/security-headers.js'
import type { Begun } from './begun.js'
import { sendWhole } from './send-whole.js'

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

function line(name: string, value: string | number): string {
  return `${name}: ${value}\r\n`
}

/**
 * A sender of answers whose headers are those of the app, as one text: Node takes three times as long for headers that
 * are set one by one, and as long again for a body that is not sent together with them.
 * @param headers that this kind has beside, or instead of, those of every answer.
 */
export function sendHot(headers: Readonly<Record<string, string>>): SendHot {
  const { 'Cache-Control': privately = '', ...rest } = { ...securityHeaders, ...headers }
  const always = Object.entries({ ...rest, 'Content-Type': 'application/json; charset=utf-8' })
    .map(([name, value]) => line(name, value))
    .join('')
  return (response, { requestId, place, etag, cacheControl = privately }, body) => {
    let lines = always + line('X-Request-Id', requestId) + line('Cache-Control', cacheControl)
    const { policy } = place.limit
    if (policy !== null && place.admission !== null)
      for (const [name, value] of rateHeaders(policy, place.admission)) lines += line(name, value)
    lines += line('ETag', etag) + line('Content-Length', body.length)
    sendWhole(response, lines, body)
  }
}
