import type { IncomingMessage } from 'node:http'
import { DomainError } from '#libs/core/domain-error.js'
import { readableSize } from '#libs/core/readable-text.js'
import type { DataLimit } from '#shared/core/data-size.js'
import type { PlanCatalogue, PlanName } from '#shared/core/plan.js'

/** The limit of a body without the value of `data`. */
export const envelopeBytesMax = 65_536

/** How many containers may be open at once in the value of a field or `data`, including the value itself. */
export const depthMax = 512

/** 400 `malformed_json`: the byte at `offset` is not allowed there. */
export function malformedJson(offset: number): DomainError {
  const message = `Invalid JSON: unexpected byte at offset ${offset}. Send one JSON object in UTF-8.`
  return new DomainError('invalid', 'malformed_json', message, { offset })
}

/** 400 `malformed_json`: the body does not start with `{`. */
export function notAnObject(offset: number): DomainError {
  const message = `The body must be a single JSON object; found something else at offset ${offset}.`
  return new DomainError('invalid', 'malformed_json', message, { offset })
}

/** 400 `malformed_json`: the body ends before the object is closed. */
export function endsTooEarly(length: number): DomainError {
  const message =
    length === 0
      ? 'The body is empty. Send a JSON object.'
      : `Invalid JSON: the body ends at offset ${length} before the object is closed.`
  return new DomainError('invalid', 'malformed_json', message, { offset: length })
}

/** 400 `malformed_json`: a value is nested deeper than `depthMax`. */
export function tooDeep(pointer: string, offset: number): DomainError {
  const detail = `The value at ${pointer} is nested deeper than ${depthMax} levels.`
  return new DomainError('invalid', 'malformed_json', detail, {
    offset,
    errors: [{ pointer, code: 'too_deep', detail }],
  })
}

/** 400 `malformed_text`: a raw upload is not UTF-8 from this byte on. */
export function malformedText(offset: number): DomainError {
  const message = `The text is not valid UTF-8 at offset ${offset}. Convert it to UTF-8, or name its encoding, as in ?encoding=windows-1252, and send it again.`
  return new DomainError('invalid', 'malformed_text', message, { offset })
}

/** 400 `malformed_json`: the declared gzip stream is invalid or incomplete. */
export function malformedGzip(cause?: unknown): DomainError {
  const message = 'Content-Encoding says gzip, but the body is not a complete gzip stream.'
  return new DomainError('invalid', 'malformed_json', message, {}, { cause })
}

/** 413: everything but `data`, including white space, is too large. */
export function envelopeTooLarge(takesData: boolean): DomainError {
  const what = takesData
    ? 'The fields other than data are too large; together they are limited to'
    : 'The request body is too large; the limit is'
  const message = `${what} ${readableSize(envelopeBytesMax)}.`
  return new DomainError('too-large', 'data_too_large', message, { limit: envelopeBytesMax })
}

/** 415 for a media type, with those that this method takes (RFC 9110 §15.5.16, RFC 5789 §2.2). */
export function unsupportedMediaType(
  { method }: Pick<IncomingMessage, 'method'>,
  types: readonly string[],
  message: string,
): DomainError {
  const accept = types.join(', ')
  const details = { accept, ...(method === 'PATCH' ? { accept_patch: accept } : {}) }
  return new DomainError('unsupported-media-type', 'unsupported_media_type', message, details)
}

/** The same where only JSON is taken. */
export function notJson(request: Pick<IncomingMessage, 'method'>): DomainError {
  const message = 'Send the body as UTF-8 JSON with Content-Type: application/json.'
  return unsupportedMediaType(request, ['application/json'], message)
}

/** 415 for a content coding, with the only one that is taken. */
export function unsupportedEncoding(only: 'gzip' | 'identity', message: string): DomainError {
  return new DomainError('unsupported-media-type', 'unsupported_media_type', message, {
    accept_encoding: only,
  })
}

/** 408: see `BodyTimeLimits`. */
export function bodyTooSlow(): DomainError {
  const message = 'The request body arrived too slowly. Try again on a faster connection.'
  return new DomainError('timeout', 'request_timeout', message)
}

/** How much `data` a plan allows, and Pro if that is more. */
export function dataLimit(plans: PlanCatalogue, plan: PlanName, noun: DataLimit['noun']): DataLimit {
  const bytesMax = plans[plan].dataBytes
  const proBytesMax = plans.pro.dataBytes
  return { bytesMax, plan, noun, ...(proBytesMax > bytesMax ? { proBytesMax } : {}) }
}
