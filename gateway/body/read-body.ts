import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FoundSecret } from '#engine/secrets/match-secret.js'
import { createSecretScanner } from '#engine/secrets/secret-scanner.js'
import type { NewData } from '#proto/snipkeep/content/v1/document_service.js'
import { dataTooLarge, inlineBytesMax } from '#shared/core/data-size.js'
import { RequestAborted } from '../request/request-context.js'
import { type BodyTimeLimits, type ByteSource, createRequestBytes } from './body-bytes.js'
import { envelopeBytesMax, envelopeTooLarge, notJson, unsupportedEncoding } from './body-errors.js'
import { createDataReceiver, type DataReceiver, type DocumentSink } from './data-receiver.js'
import { createEnvelopeScanner, type Envelope, type EnvelopeRules } from './envelope-scanner.js'
import { createInflatedBytes } from './inflated-bytes.js'
import { type UploadBudget, uploadWindowBytes } from './upload-budget.js'

/** What the headers of an accepted body declare. */
export interface BodyHeaders {
  readonly gzip: boolean
  /** The `Content-Length`. */
  readonly declared: number | null
  /** Whether the caller waits for `100 Continue` before it sends the body. */
  readonly waits: boolean
}

/** The maximum size of a body after decompression. */
export function bodyBytesMax({ data, dataAlone }: EnvelopeRules): number {
  return (data?.bytesMax ?? 0) + (dataAlone === true ? 0 : envelopeBytesMax)
}

const jsonType = /^application\/json[ \t]*(;[ \t]*(charset=("utf-8"|utf-8)[ \t]*)?)*$/i

/** Whether a request has exactly one `Content-Type`, of JSON in UTF-8. */
export function isJson(request: IncomingMessage): boolean {
  const types = request.headersDistinct['content-type'] ?? []
  return types.length === 1 && jsonType.test(types[0]?.trim() ?? '')
}

/**
 * `x-gzip` is an old name for `gzip` (RFC 9110 §8.4.1.3).
 * @throws DomainError `unsupported_media_type` for any other `Content-Encoding`.
 */
export function readEncoding(request: IncomingMessage): 'identity' | 'gzip' {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity') return encoding
  if (encoding === 'gzip' || encoding === 'x-gzip') return 'gzip'
  throw unsupportedEncoding('gzip', 'Only Content-Encoding: gzip is supported, applied once.')
}

/**
 * Decides by the headers alone whether a body is accepted.
 * @throws DomainError `unsupported_media_type`, or `data_too_large` if the declared length exceeds the limit.
 */
export function readBodyHeaders(request: IncomingMessage, rules: EnvelopeRules): BodyHeaders {
  if (rules.dataAlone !== true && !isJson(request)) throw notJson(request)
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

/** Whether a body may exceed 64 KiB, or its sender may wait for `100 Continue`. */
export function mayBeLarge({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'content-encoding': encoding, expect } = headers
  return (
    length === undefined || Number(length) > inlineBytesMax || encoding !== undefined || expect !== undefined
  )
}

/** The rules for the body of one operation. */
export interface BodyRules<Fields> extends EnvelopeRules {
  readonly limits: BodyTimeLimits
  /** Whether `data` is searched for secrets as it passes. */
  readonly findsSecrets?: boolean
  /** Converts a body in another format to JSON. */
  readonly asJson?: (body: ByteSource) => ByteSource
  /** Called with the complete valid body before its data is stored for good; if it throws, the data is discarded. */
  readonly parse: (envelope: Envelope) => Fields
}

/** A complete, valid body. */
export interface ReceivedBody<Fields> {
  readonly fields: Fields
  /** `undefined` if there is none, and if the envelope has problems: then nothing is stored. */
  readonly data: NewData | undefined
  /** Of `data`. */
  readonly dataBytes: number
  /** The secrets in it, as far as they were looked for; offsets count from its first byte. */
  readonly secrets: readonly FoundSecret[]
}

/** No one reads the reason, so one shared error suffices; creating one per request took 2 % of a create. */
const stopReason = new RequestAborted()

/** At most 15 s without a byte, and at least 64 KB/s on average after 15 s. */
export const defaultBodyTimeLimits: BodyTimeLimits = {
  idleMs: 15_000,
  minBytesPerSecond: 64_000,
  afterMs: 15_000,
}

/** After this many bytes, the reader yields to the event loop. */
const bytesPerTurn = 65_536

async function receive<Fields>(
  source: ByteSource,
  rules: BodyRules<Fields>,
  receiver: DataReceiver,
): Promise<ReceivedBody<Fields>> {
  const scanner = createEnvelopeScanner(rules)
  const search = rules.findsSecrets === true ? createSecretScanner({ nowMs: Date.now() }) : null
  let [inTurn, dataBytes] = [0, 0]
  for (let chunk = await source.next(); chunk !== null; chunk = await source.next()) {
    const data = scanner.push(chunk)
    if (scanner.problems.length > 0) receiver.cancel()
    else if (data !== null) {
      dataBytes += data.length
      search?.push(data)
      await receiver.write(data)
    }
    inTurn += chunk.length
    if (inTurn >= bytesPerTurn) {
      await nextTurn()
      inTurn = 0
    }
  }
  const envelope = scanner.finish()
  const fields = rules.parse(envelope)
  const stored = envelope.dataSeen && envelope.problems.length === 0
  const secrets = search?.finish() ?? []
  return { fields, data: stored ? await receiver.finish() : undefined, dataBytes, secrets }
}

function openSource(request: IncomingMessage, rules: BodyRules<unknown>, headers: BodyHeaders): ByteSource {
  const wire = createRequestBytes(request, rules.limits)
  const { data, asJson = (body: ByteSource) => body } = rules
  if (!headers.gzip) return asJson(wire)
  // Honest gzip is hardly larger than the body that it compresses; no one honest sends twice the size.
  const inflated = createInflatedBytes(wire, 2 * bodyBytesMax(rules), () =>
    data === null ? envelopeTooLarge(false) : dataTooLarge(data),
  )
  return asJson(inflated)
}

/** Adds the declared size of the data to an error about its size. */
function withDeclared<Fields>(rules: BodyRules<Fields>, { gzip, declared }: BodyHeaders): BodyRules<Fields> {
  // Escaping makes a text longer than declared.
  if (gzip || declared === null || rules.data === null || rules.asJson !== undefined) return rules
  return { ...rules, data: { ...rules.data, actualBytes: declared } }
}

function bytesToReserve(rules: BodyRules<unknown>, { gzip, declared }: BodyHeaders): number {
  const known = gzip || rules.asJson !== undefined ? null : declared
  const size = known ?? bodyBytesMax(rules)
  return Math.min(size, uploadWindowBytes)
}

/**
 * Reads the body of a write request whose headers were accepted. Sends `100 Continue` if the caller waits for it,
 * checks the JSON as it arrives, and holds `data` up to 64 KiB or streams it to the sink. Memory is bounded by about 1
 * MiB. On any failure, the sink is cancelled and the request is left paused, its rest unread, so the connection must be
 * closed after the response.
 * @throws DomainError if the body is rejected (400, 408, 413, 503), and whatever `parse` and the sink throw.
 * @throws RequestAborted if the caller disconnects.
 */
export async function readBody<Fields>(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  headers: BodyHeaders,
  rules: BodyRules<Fields>,
  openSink: () => DocumentSink,
  budget: UploadBudget,
): Promise<ReceivedBody<Fields>> {
  if (response.destroyed) throw new RequestAborted()
  const bytes = bytesToReserve(rules, headers)
  const held = [budget.reserve(Math.min(bytes, inlineBytesMax))]
  const receiver = createDataReceiver(() => {
    if (bytes > inlineBytesMax) held.push(budget.reserveMore(bytes - inlineBytesMax))
    return openSink()
  })
  const source = openSource(request, rules, headers)
  let onClose = (): void => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    onClose = () => reject(new RequestAborted())
    response.once('close', onClose)
  })
  try {
    if (headers.waits) response.writeContinue()
    return await Promise.race([receive(source, withDeclared(rules, headers), receiver), aborted])
  } catch (error) {
    receiver.cancel()
    throw request.destroyed && !request.complete ? new RequestAborted() : error
  } finally {
    response.off('close', onClose)
    source.stop(stopReason)
    for (const release of held) release()
  }
}
