import { Worker } from 'node:worker_threads'
import { type WorkerEntry, workerEntry } from '#libs/runtime/worker-entry.js'
import { RequestAborted } from '../../body/read-body.js'
import type { SideName } from './read-comparison.js'

/** A side of a comparison. */
export interface CompareSide {
  /** `data`, which is JSON. */
  readonly bytes: Uint8Array
  /** The value in it that is compared; all of it unless given. */
  readonly pointer: string | undefined
}

/** What is compared, and how. */
export interface CompareJob {
  readonly a: CompareSide
  readonly b: CompareSide
  readonly key: string | undefined
  readonly ignore: readonly string[] | undefined
  readonly numbers: 'exact' | 'value'
  readonly format: 'changes' | 'summary' | 'json-patch' | 'text'
  readonly values: 'json' | 'text'
  readonly limit: number
}

/** What has come of a comparison. */
export type CompareOutcome =
  | { readonly kind: 'done'; readonly bytes: Uint8Array }
  /** The pointer of a side names nothing. */
  | { readonly kind: 'missing'; readonly side: SideName }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }

/** A comparison took more time or memory than it may. */
export class CompareLimitError extends Error {
  constructor(limit: 'time' | 'memory') {
    super(`the comparison took too much ${limit}`)
    this.name = 'CompareLimitError'
  }
}

/** The bounds of a comparison. */
export interface CompareBounds {
  readonly timeoutMs: number
  readonly heapMegabytes: number
}

/** The default bounds: numbers of the engine outside the heap come on top, up to twenty bytes for each byte compared. */
export const compareBounds: CompareBounds = { timeoutMs: 5_000, heapMegabytes: 128 }

const compareEntry = workerEntry(import.meta.url, 'compare-worker')

/** The same bytes in memory that only they occupy, so that a thread can take it over. */
function ownBytes({
  bytes,
  pointer,
}: CompareSide): CompareSide & { readonly bytes: Uint8Array<ArrayBuffer> } {
  return { bytes: new Uint8Array(bytes), pointer }
}

/**
 * Compares in a thread of its own, which is stopped when it takes too long, too much memory, or the caller goes away.
 * @throws CompareLimitError, RequestAborted.
 */
export function compareInWorker(
  job: CompareJob,
  signal: AbortSignal,
  { timeoutMs, heapMegabytes }: CompareBounds = compareBounds,
  entry: WorkerEntry = compareEntry,
): Promise<CompareOutcome> {
  if (signal.aborted) return Promise.reject(new RequestAborted())
  const [a, b] = [ownBytes(job.a), ownBytes(job.b)]
  const worker = new Worker(entry.url, {
    workerData: { ...job, a, b },
    transferList: [a.bytes.buffer, b.bytes.buffer],
    execArgv: [...entry.execArgv],
    // It needs no secrets.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 32 },
  })
  return new Promise<CompareOutcome>((resolve, reject) => {
    const onAbort = (): void => reject(new RequestAborted())
    const timer = setTimeout(() => reject(new CompareLimitError('time')), timeoutMs + entry.loadingMs)
    signal.addEventListener('abort', onAbort, { once: true })
    worker.once('message', resolve)
    worker.once('error', (error: Error & { readonly code?: string }) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new CompareLimitError('memory') : error),
    )
    worker.once('exit', (code) => reject(new Error(`the thread of a comparison ended with ${code}`)))
    worker.once('exit', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    })
  }).finally(() => worker.terminate())
}
