import type { IncomingMessage } from 'node:http'
import { dataTooLarge, inlineBytesMax } from '#shared/core/data-size.js'
import { envelopeBytesMax, envelopeTooLarge, unsupportedMediaType } from './body-errors.js'
import type { EnvelopeRules } from './envelope-scanner.js'

/** What the headers say about a body that may be read. */
export interface BodyHeaders {
  readonly gzip: boolean
  /** The length on the wire, when it is declared. */
  readonly declared: number | null
  /** The caller waits for `100 Continue` before it sends the body. */
  readonly waits: boolean
}

/** The bytes that a body may take after inflation. */
export function bodyBytesMax(rules: EnvelopeRules): number {
  return (rules.data?.bytesMax ?? 0) + envelopeBytesMax
}

const jsonType = /^application\/json[ \t]*(;[ \t]*(charset=("utf-8"|utf-8)[ \t]*)?)*$/i

function checkType(request: IncomingMessage): void {
  const types = request.headersDistinct['content-type'] ?? []
  if (types.length === 1 && jsonType.test(types[0]?.trim() ?? '')) return
  throw unsupportedMediaType('Send the body as UTF-8 JSON with Content-Type: application/json.')
}

function readEncoding(request: IncomingMessage): 'identity' | 'gzip' {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === 'gzip') return encoding
  throw unsupportedMediaType('Only Content-Encoding: gzip is supported, applied once.')
}

/**
 * Decides by the headers alone whether a body may be read.
 * @throws DomainError `unsupported_media_type`, or `data_too_large` when the declared length leaves no doubt.
 */
export function readBodyHeaders(request: IncomingMessage, rules: EnvelopeRules): BodyHeaders {
  checkType(request)
  const gzip = readEncoding(request) === 'gzip'
  const length = request.headers['content-length']
  const declared = length === undefined ? null : Number(length)
  if (!gzip && declared !== null && declared > bodyBytesMax(rules)) {
    throw rules.data === null
      ? envelopeTooLarge(false)
      : dataTooLarge({ ...rules.data, actualBytes: declared })
  }
  return { gzip, declared, waits: /^100-continue$/i.test(request.headers.expect ?? '') }
}

/** Whether a body may hold more than travels in one message, or its sender waits before it sends it. */
export function mayBeLarge({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'content-encoding': encoding, expect } = headers
  return (
    length === undefined || Number(length) > inlineBytesMax || encoding !== undefined || expect !== undefined
  )
}
