import { DomainError, validationFailed } from '#libs/core/domain-error.js'
import { readableSize } from '#libs/core/readable-text.js'
import { createByteBudget, type HeldBytes } from '#libs/runtime/byte-budget.js'
import { inlineBytesMax } from '#shared/core/data-size.js'
import { envelopeBytesMax, unsupportedMediaType } from '../../body/body-errors.js'
import { parseJsonPointer } from '../../body/json-pointer.js'
import { defaultBodyTimeLimits, isJson, readEncoding } from '../../body/read-body.js'
import { receiveBytes } from '../../body/receive-bytes.js'
import { chunksOf } from '../../http/locate-value.js'
import { type AccountHandler, type RequestContext, searchCall } from '../../http/request-context.js'
import { sendBytes } from '../../http/send-bytes.js'
import { dataPart } from '../../http/stored-data.js'
import { accountReader, type DocumentReader } from '../../rate-limits/rate-limits.js'
import { createSlots } from '../../rate-limits/slots.js'
import type { RouteParts } from '../feature-dependencies.js'
import {
  type CompareJob,
  CompareLimitError,
  type CompareOutcome,
  compareInWorker,
} from './compare-in-worker.js'
import { createFindSource, type Source } from './find-source.js'
import { readComparison } from './read-comparison.js'

/** A comparison uses a whole CPU and much memory. */
const compareRules = {
  activity: 'comparing documents',
  max: 1,
  anonymousMax: 0,
  perReaderMax: 1,
  waitMs: 5_000,
  waitersMax: 16,
  waitersPerReaderMax: 2,
}

/** 413 `compare_too_large`. */
function tooLarge(reason: string, details: Readonly<Record<string, number>> = {}): DomainError {
  const message = `${reason} Compare them on your machine, at any size: snipkeep diff A B`
  return new DomainError('too-large', 'compare_too_large', message, details)
}

function tooManyBytes(limit: number, actual: number): DomainError {
  const reason = `These documents have ${readableSize(actual)} together; the server compares up to ${readableSize(limit)}.`
  return tooLarge(reason, { limit, actual })
}

/** Receives the bodies of comparisons within a memory budget. */
function createReceive(documentBytesMax: number): (context: RequestContext) => Promise<HeldBytes> {
  const bytesMax = documentBytesMax + envelopeBytesMax
  // The buffer of a body grows by doubling.
  const budget = createByteBudget({ bytesMax: 4 * bytesMax, holderBytesMax: 2 * bytesMax })
  return async (context) => {
    const { request } = context
    if (!isJson(request))
      throw unsupportedMediaType('Send the body as UTF-8 JSON with Content-Type: application/json.')
    const declared = Number(request.headers['content-length'] ?? 0)
    return receiveBytes(context, {
      limits: defaultBodyTimeLimits,
      budget,
      bytesMax,
      isGzip: readEncoding(request) === 'gzip',
      tooLarge: () => tooManyBytes(documentBytesMax, Math.max(declared, bytesMax + 1)),
      busy: 'Too many comparisons are being received. Try again shortly.',
    })
  }
}

/** The response body. Throws a DomainError for any other outcome. */
function responseOf(outcome: CompareOutcome): Uint8Array {
  switch (outcome.kind) {
    case 'done':
      return outcome.bytes
    case 'missing': {
      const message = 'The value that pointer names does not exist.'
      throw new DomainError('not-found', 'not_found', message, { side: outcome.side })
    }
    case 'refused':
      throw validationFailed([
        {
          pointer: outcome.code.startsWith('key_') ? '/key' : '',
          code: outcome.code,
          detail: outcome.message,
        },
      ])
    default:
      return outcome satisfies never
  }
}

type Open = (context: RequestContext, reader: DocumentReader, source: Source) => Promise<Uint8Array>
type Job = Omit<CompareJob, 'a' | 'b'>

/** Reads and compares two documents, one comparison at a time. */
function createCompareSources({ documentReads, compareBytesMax }: RouteParts) {
  const slots = createSlots(compareRules)
  const open: Open = async (context, reader, { data, sizeBytes }) => {
    const bytes = new Uint8Array(sizeBytes)
    let length = 0
    for await (const chunk of chunksOf(
      dataPart(documentReads, data, { context: searchCall(context), reader }),
    )) {
      bytes.set(chunk, length)
      length += chunk.length
    }
    return bytes
  }
  return async (
    context: RequestContext,
    reader: DocumentReader,
    [a, b]: readonly [Source, Source],
    pointers: readonly [string | undefined, string | undefined],
    job: Job,
  ): Promise<CompareOutcome> => {
    const size = a.sizeBytes + b.sizeBytes
    if (size > compareBytesMax) throw tooManyBytes(compareBytesMax, size)
    const takeBack = size > inlineBytesMax ? await documentReads.pointerBudget.spend(reader, size) : () => {}
    const release = await slots.take(reader, context.signal).catch((error: unknown) => {
      takeBack()
      throw error
    })
    try {
      const first = { bytes: await open(context, reader, a), pointer: pointers[0] }
      const second = { bytes: await open(context, reader, b), pointer: pointers[1] }
      return await compareInWorker({ ...job, a: first, b: second }, context.signal)
    } catch (error) {
      if (!(error instanceof CompareLimitError)) throw error
      throw tooLarge('Comparing these documents takes too much time or memory on the server.')
    } finally {
      release()
    }
  }
}

/** The handler of `POST /api/compare`. */
export function compareHandler(parts: RouteParts): AccountHandler {
  const receive = createReceive(parts.compareBytesMax)
  const findSource = createFindSource(parts)
  const compareSources = createCompareSources(parts)
  return async (context, caller) => {
    const held = await receive(context)
    try {
      const comparison = await readComparison(held.bytes(), parts.documentReads.createPointerLocator)
      const { a, b, ...options } = comparison.fields
      for (const { pointer } of [a, b]) parseJsonPointer(pointer ?? '')
      const sources = [
        await findSource(context, caller, 'a', comparison),
        await findSource(context, caller, 'b', comparison),
      ] as const
      const job = { ...options, key: options.key, ignore: options.ignore }
      const pointers = [a.pointer, b.pointer] as const
      const body = responseOf(await compareSources(context, accountReader(caller), sources, pointers, job))
      const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length }
      await sendBytes(context.response, headers, [body])
    } finally {
      held.release()
    }
  }
}
