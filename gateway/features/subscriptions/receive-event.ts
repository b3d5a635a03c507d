import type { IncomingMessage } from 'node:http'
import { DomainError, unavailable } from '#libs/core/domain-error.js'
import type { ByteBudget, HeldBytes } from '#libs/runtime/byte-budget.js'
import { RequestAborted } from '../../body/read-body.js'
import { type BodyTimeLimits, createRequestBytes } from '../../body/request-bytes.js'
import type { RequestContext } from '../../http/request-context.js'

/** No event is longer; the largest of Stripe take a few hundred kilobytes. */
const eventBytesMax = 1024 * 1024

/** 413: an event is longer than any. */
export function eventTooLarge(): DomainError {
  const message = `Webhook events are limited to ${eventBytesMax} bytes.`
  return new DomainError('too-large', 'data_too_large', message, { limit: eventBytesMax })
}

/** Refuses an event by its declared length. */
export function checkDeclaredLength({ headers }: IncomingMessage): void {
  if (Number(headers['content-length'] ?? 0) > eventBytesMax) throw eventTooLarge()
}

/**
 * Receives the body of an event. Whoever calls releases the bytes, once they are used.
 * @throws DomainError when it is too long (413), arrives too slowly (408), or the budget is used up (503).
 * @throws RequestAborted when the caller goes away.
 */
export async function receiveEvent(
  { request, response, clientAddress }: Pick<RequestContext, 'request' | 'response' | 'clientAddress'>,
  limits: BodyTimeLimits,
  budget: ByteBudget,
): Promise<HeldBytes> {
  const held = budget.open(clientAddress)
  const source = createRequestBytes(request, limits)
  const gone = new RequestAborted()
  const onClose = (): void => source.stop(gone)
  response.once('close', onClose)
  try {
    if (request.headers.expect !== undefined) response.writeContinue()
    for (let chunk = await source.next(); chunk !== null; chunk = await source.next()) {
      if (held.length + chunk.length > eventBytesMax) throw eventTooLarge()
      if (!held.append(chunk)) {
        throw unavailable('Too many webhook events at once. Send this one again.')
      }
    }
    return held
  } catch (error) {
    held.release()
    throw request.destroyed && !request.complete ? gone : error
  } finally {
    response.off('close', onClose)
    source.stop(gone)
  }
}
