import type { ByteBudget } from '#libs/runtime/byte-budget.js'
import type { RequestContext } from '../request/request-context.js'
import {
  envelopeBytesMax,
  envelopeTooLarge,
  unsupportedEncoding,
  unsupportedMediaType,
} from './body-errors.js'
import { defaultBodyTimeLimits } from './read-body.js'
import { receiveBytes } from './receive-bytes.js'

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
