import { DomainError } from '#libs/core/domain-error.js'
import { readableSize } from '#libs/core/readable-text.js'
import { createByteBudget, type ReservedBytes } from '#libs/runtime/byte-budget.js'
import type { ComparisonJob } from '#proto/snipkeep/tools/v1/job_service.js'
import { inlineBytesMax } from '#shared/core/data-size.js'
import type { ByteSource } from '../../body/body-bytes.js'
import { envelopeBytesMax, notJson } from '../../body/body-errors.js'
import { defaultBodyTimeLimits, isJson, readEncoding } from '../../body/read-body.js'
import { receiveBytes } from '../../body/receive-bytes.js'
import { parseJsonPointer } from '../../data/json-pointer.js'
import { locateValue, type RawRead, sourceOf } from '../../data/locate-value.js'
import { spendingOf } from '../../data/pointer-budget.js'
import { decodeString } from '../../data/send-raw.js'
import { dataPart } from '../../data/stored-data.js'
import type { Operation } from '../../http/operation.js'
import { sendBytes } from '../../http/send-bytes.js'
import { accountReader } from '../../rate-limits/rate-limits.js'
import { type Caller, type RequestContext, searchCall } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { partsOf } from '../tools/jobs.js'
import { comparison, comparisonRequest } from './compare-schemas.js'
import { createFindSource, type Source } from './find-source.js'
import { readComparison, type SideName } from './read-comparison.js'

/** A side of a comparison. */
interface Side {
  readonly name: SideName
  readonly source: Source
  /** The value to compare; by default, the whole document. */
  readonly pointer: string | undefined
}

function missing(side: SideName): DomainError {
  return new DomainError('not-found', 'not_found', 'The value that pointer names does not exist.', { side })
}

/**
 * The bytes to compare: those of the document, or of the value that the pointer names; of a string, its text.
 * @throws DomainError `not_found` with the side if the pointer names nothing.
 */
export async function openSide(
  read: Omit<RawRead, 'source'>,
  { name, source, pointer = '' }: Side,
): Promise<ByteSource> {
  const { reads, reader, context } = read
  const request = { context: searchCall(context), reader }
  if (pointer === '') return sourceOf(dataPart(reads, source.data, request))
  const raw = { ...read, source: { ...source, tool: '', title: '' } }
  const { value, bytes } = await locateValue(raw, parseJsonPointer(pointer), undefined).catch(
    (error: unknown) => {
      throw error instanceof DomainError && error.kind === 'not-found' ? missing(name) : error
    },
  )
  const { offset, length, kind } = value
  const part = bytes ?? dataPart(reads, source.data, request, { offset, length })
  return sourceOf(kind === 'string' ? decodeString([part]) : part)
}

/** 413 `compare_too_large`. */
function tooLarge(reason: string, details: Readonly<Record<string, number>> = {}): DomainError {
  const message = `${reason} Compare them on your machine, at any size: snipkeep diff A B`
  return new DomainError('too-large', 'compare_too_large', message, details)
}

/** 413 `compare_too_large`: together they are larger than the server compares. */
export function tooManyBytes(limit: number, actual: number): DomainError {
  const reason = `These documents have ${readableSize(actual)} together; the server compares up to ${readableSize(limit)}.`
  return tooLarge(reason, { limit, actual })
}

/** Receives the bodies of comparisons within a memory budget. */
function createReceive(documentBytesMax: number): (context: RequestContext) => Promise<ReservedBytes> {
  const bytesMax = documentBytesMax + envelopeBytesMax
  // The buffer of a body grows by doubling.
  const budget = createByteBudget({ bytesMax: 4 * bytesMax, holderBytesMax: 2 * bytesMax })
  return async (context) => {
    const { request } = context
    if (!isJson(request)) throw notJson(request)
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

/** What a comparison is made of. */
interface Comparing {
  readonly context: RequestContext
  readonly caller: Caller
  readonly sources: readonly [Source, Source]
  readonly pointers: readonly [string | undefined, string | undefined]
  readonly job: ComparisonJob
  /** Takes what is large from the caller's budget. */
  readonly spend: (bytes: number) => Promise<void>
  /** The bytes of these documents that the budget has paid for, as part of the body. */
  readonly paidBytes: number
}

/** Small responses are sent with their length. */
const wholeBytesMax = 1_048_576

/** Compares two documents, and sends the response. */
function createCompareSources({
  documentReads,
  compareBytesMax,
  runJob,
}: Pick<FeatureDependencies, 'compareBytesMax' | 'documentReads' | 'runJob'>) {
  return async ({ context, caller, sources, pointers, job, spend, paidBytes }: Comparing): Promise<void> => {
    const reader = accountReader(caller)
    const [a, b] = sources
    const size = a.sizeBytes + b.sizeBytes
    if (size > compareBytesMax) throw tooManyBytes(compareBytesMax, size)
    await spend(size - paidBytes)
    const read = { context, reads: documentReads, reader }
    const inputs = [
      await openSide(read, { name: 'a', source: a, pointer: pointers[0] }),
      await openSide(read, { name: 'b', source: b, pointer: pointers[1] }),
    ]
    const order = { reader, plan: caller.plan, inputBytes: size, inputs } as const
    const output = runJob({ ...order, job: { $case: 'comparison', value: job } }, searchCall(context))
    try {
      const { parts, length } = await partsOf(output, wholeBytesMax)
      // What is sent counts like what is read.
      await spend(length ?? wholeBytesMax)
      const headers = {
        'Content-Type': 'application/json; charset=utf-8',
        ...(length === null ? {} : { 'Content-Length': length }),
      }
      await sendBytes(context.response, headers, parts)
    } finally {
      output.stop(new Error('the comparison has ended'))
    }
  }
}

/** `POST /api/compare`. */
export function compareOperation(
  dependencies: Pick<
    FeatureDependencies,
    | 'callerIfAny'
    | 'compareBytesMax'
    | 'documentReads'
    | 'loadShare'
    | 'readSnippet'
    | 'runJob'
    | 'shares'
    | 'upstreams'
  >,
): Operation {
  const receive = createReceive(dependencies.compareBytesMax)
  const findSource = createFindSource(dependencies)
  const { createPointerLocator, pointerBudget } = dependencies.documentReads
  const compareSources = createCompareSources(dependencies)
  return {
    method: 'post',
    path: '/api/compare',
    operationId: 'compare',
    group: 'Comparison',
    access: 'account',
    scope: 'read',
    summary: 'Compare two snippets, shares or documents',
    description:
      'Numbers that are written differently differ, such as `1.0` and `1`, unless `numbers` is `value`. Objects are compared by key, arrays by a member that identifies their items, CSV by a column, and other text line by line. If the only member of `data` is a string, its text is compared. Large documents count against the byte budget of `pointer`. Documents that are too large or take longer than 5 s get 413 `compare_too_large`; compare them with the command line: `snipkeep diff A B`. If too many run, others wait up to 10 s, then get 503.',
    body: { fields: comparisonRequest, withData: 'none' },
    responses: { 200: { description: 'What differs.', schema: comparison } },
    refusals: [400, 403, 404, 408, 410, 413, 415],
    async handle(context, caller) {
      const { spend, refund } = spendingOf(pointerBudget, accountReader(caller))
      const held = await receive(context)
      try {
        // White space costs as much as data.
        await spend(held.length)
        const read = await readComparison(held.bytes(), createPointerLocator)
        const inlineBytes = (read.data.a?.length ?? 0) + (read.data.b?.length ?? 0)
        const paidBytes = held.length > inlineBytesMax ? inlineBytes : 0
        const { a, b, ignore, ...fields } = read.fields
        for (const { pointer } of [a, b]) parseJsonPointer(pointer ?? '')
        const sources = [
          await findSource(context, caller, 'a', read),
          await findSource(context, caller, 'b', read),
        ] as const
        const job = { ...fields, ignore: ignore ?? [] }
        const pointers = [a.pointer, b.pointer] as const
        await compareSources({ context, caller, sources, pointers, job, spend, paidBytes })
      } catch (error) {
        refund(error)
        throw error
      } finally {
        held.release()
      }
    },
  }
}
