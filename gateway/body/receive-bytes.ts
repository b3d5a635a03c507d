import { type DomainError, unavailable } from '#libs/core/domain-error.js'
import type { ByteBudget, ReservedBytes } from '#libs/runtime/byte-budget.js'
import { RequestAborted, type RequestContext } from '../request/request-context.js'
import { type BodyTimeLimits, createRequestBytes } from './body-bytes.js'
import {
  envelopeBytesMax,
  envelopeTooLarge,
  unsupportedEncoding,
  unsupportedMediaType,
} from './body-errors.js'
import { createInflatedBytes } from './inflated-bytes.js'
import { defaultBodyTimeLimits } from './read-body.js'

export interface ReceiveOptions {
  readonly limits: BodyTimeLimits
  readonly budget: ByteBudget
  readonly bytesMax: number
  /** Whether the body is compressed; `bytesMax` then limits its decompressed size. */
  readonly isGzip?: boolean
  /** The error for a longer body. */
  readonly tooLarge: () => DomainError
  /** The message of the error if the budget is used up. */
  readonly busy: string
}

/**
 * Receives a whole small body. Release the bytes after use.
 * @throws DomainError if it is too long (413), arrives too slowly (408), or the budget is used up (503).
 * @throws RequestAborted if the caller disconnects.
 */
export async function receiveBytes(
  { request, response, clientAddress }: Pick<RequestContext, 'request' | 'response' | 'clientAddress'>,
  { limits, budget, bytesMax, isGzip = false, tooLarge, busy }: ReceiveOptions,
): Promise<ReservedBytes> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge()
  const held = budget.open(clientAddress)
  const wire = createRequestBytes(request, limits)
  // Honest gzip is never twice as large as its content.
  const source = isGzip ? createInflatedBytes(wire, 2 * bytesMax, tooLarge) : wire
  const gone = new RequestAborted()
  const onClose = (): void => source.stop(gone)
  response.once('close', onClose)
  try {
    if (request.headers.expect !== undefined) response.writeContinue()
    for (let chunk = await source.next(); chunk !== null; chunk = await source.next()) {
      if (held.length + chunk.length > bytesMax) throw tooLarge()
      if (!held.append(chunk)) throw unavailable(busy)
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

const formType = /^application\/x-www-form-urlencoded[ \t]*(;[ \t]*(charset=("utf-8"|utf-8)[ \t]*)?)*$/i

/**
 * Reads a form of at most 64 KiB.
 * @throws DomainError if the body is rejected (408, 413, 415, 503).
 */
export async function readForm(context: RequestContext, budget: ByteBudget): Promise<URLSearchParams> {
  const { headers, headersDistinct } = context.request
  const types = headersDistinct['content-type'] ?? []
  const isForm = types.length === 1 && formType.test(types[0]?.trim() ?? '')
  const howTo = 'Send the body as application/x-www-form-urlencoded, in UTF-8 and not compressed.'
  if (!isForm) throw unsupportedMediaType(context.request, ['application/x-www-form-urlencoded'], howTo)
  if (headers['content-encoding'] !== undefined) throw unsupportedEncoding('identity', howTo)
  const held = await receiveBytes(context, {
    limits: defaultBodyTimeLimits,
    budget,
    bytesMax: envelopeBytesMax,
    tooLarge: () => envelopeTooLarge(false),
    busy: 'Too many forms at once. Try again shortly.',
  })
  try {
    return new URLSearchParams(Buffer.from(held.bytes()).toString('utf8'))
  } finally {
    held.release()
  }
}
