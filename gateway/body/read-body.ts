import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type DataRules, dataTooLarge, envelopeTooLarge } from './body-errors.js'
import { type BodyHeaders, bodyBytesMax, readBodyHeaders } from './body-headers.js'
import {
  createDataReceiver,
  type DataReceiver,
  type DocumentSink,
  inlineBytesMax,
  type ReceivedData,
} from './data-receiver.js'
import type { FieldNames } from './envelope-members.js'
import { createEnvelopeScanner, type Envelope } from './envelope-scanner.js'
import { createInflatedBytes } from './inflated-bytes.js'
import { type BodyTimeLimits, type ByteSource, createRequestBytes } from './request-bytes.js'
import { type UploadBudget, uploadWindowBytes } from './upload-budget.js'

/** What the body of one operation may be. */
export interface BodyRules extends FieldNames {
  /** `null` when `data` is not a field of this operation. */
  readonly data: DataRules | null
  readonly limits: BodyTimeLimits
  /** Called once the headers let the body through, before any of it is read; what it throws refuses it. */
  readonly checkHead?: () => void
  /** Called with the whole body, valid JSON, before its data is stored for good; what it throws withdraws it. */
  readonly check?: (envelope: Envelope) => void
}

/** A body that was read to its end and is valid JSON. */
export interface ReceivedBody extends Envelope {
  /** `null` when there is none, and when there are problems: then nothing is stored. */
  readonly data: ReceivedData | null
}

/** The caller went away; nobody is there to be answered. */
export class RequestAborted extends Error {
  constructor() {
    super('the caller went away before its request was answered')
    this.name = 'RequestAborted'
  }
}

/** Nobody waits for what comes next, so nobody sees it; one for each request took 2 % of a create. */
const notReadOn = new RequestAborted()

/** The time limits of every body: 15 s without a byte, and 64 KB/s on average once 15 s have passed. */
export const defaultBodyTimeLimits: BodyTimeLimits = {
  idleMs: 15_000,
  minBytesPerSecond: 64_000,
  afterMs: 15_000,
}

/** After so many bytes the event loop gets its turn. */
const bytesPerTurn = 65_536

async function receive(source: ByteSource, rules: BodyRules, receiver: DataReceiver): Promise<ReceivedBody> {
  const scanner = createEnvelopeScanner(rules)
  let inTurn = 0
  for (let chunk = await source.next(); chunk !== null; chunk = await source.next()) {
    const data = scanner.push(chunk)
    if (scanner.problems.length > 0) receiver.cancel()
    else if (data !== null) await receiver.write(data)
    inTurn += chunk.length
    if (inTurn >= bytesPerTurn) {
      await nextTurn()
      inTurn = 0
    }
  }
  const envelope = scanner.finish()
  rules.check?.(envelope)
  const stored = envelope.dataSeen && envelope.problems.length === 0
  return { ...envelope, data: stored ? await receiver.finish() : null }
}

function openSource(request: IncomingMessage, rules: BodyRules, headers: BodyHeaders): ByteSource {
  const wire = createRequestBytes(request, rules.limits)
  if (!headers.gzip) return wire
  // What inflates to an allowed body takes hardly more bytes than it; twice as many are no honest gzip.
  const { data } = rules
  return createInflatedBytes(wire, 2 * bodyBytesMax(rules), () =>
    data === null ? envelopeTooLarge(null) : dataTooLarge(data),
  )
}

/** With what the headers say of the data's size, for whom it is too large in the end. */
function withDeclared(rules: BodyRules, { gzip, declared }: BodyHeaders): BodyRules {
  if (gzip || declared === null || rules.data === null) return rules
  return { ...rules, data: { ...rules.data, declaredBytes: declared } }
}

function bytesToReserve(rules: BodyRules, { gzip, declared }: BodyHeaders): number {
  const size = gzip || declared === null ? bodyBytesMax(rules) : declared
  return Math.min(size, uploadWindowBytes)
}

/**
 * Reads the body of a write request: checks its headers, sends `100 Continue` if the caller waits for it, checks the
 * JSON as it arrives, and keeps `data` or passes it to the sink, which is opened only past 64 KiB. Memory is bounded by
 * about 1 MiB, whatever the body holds.
 *
 * On any failure the sink is cancelled and the request left paused with its rest unread: who answers must close the
 * connection behind the answer.
 * @throws DomainError for every way in which a body is refused (400, 408, 413, 415, 503), and what the sink throws.
 * @throws RequestAborted when the caller goes away.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  rules: BodyRules,
  openSink: () => DocumentSink,
  budget: UploadBudget,
): Promise<ReceivedBody> {
  const headers = readBodyHeaders(request, rules)
  rules.checkHead?.()
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
    source.stop(notReadOn)
    for (const release of held) release()
  }
}
