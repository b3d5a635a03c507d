import { Worker } from 'node:worker_threads'
import { type WorkerEntry, workerEntry } from '#libs/runtime/worker-entry.js'
import { RequestAborted } from '../../body/read-body.js'
import type { SideName } from './read-comparison.js'

/** A side of a comparison. */
export interface CompareSide {
  /** `data`, which is JSON. */
  readonly bytes: Uint8Array
  /** The value to compare; by default, the whole document. */
  readonly pointer: string | undefined
}

/** Two documents and the options for comparing them. */
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

/** The outcome of a comparison. */
export type CompareOutcome =
  | { readonly kind: 'done'; readonly bytes: Uint8Array }
  /** The pointer of a side names nothing. */
  | { readonly kind: 'missing'; readonly side: SideName }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }

/** A comparison exceeded its time or memory limit. */
export class CompareLimitError extends Error {
  constructor(limit: 'time' | 'memory') {
    super(`the comparison took too much ${limit}`)
    this.name = 'CompareLimitError'
  }
}

/** The limits of a comparison. */
export interface CompareBounds {
  readonly timeoutMs: number
  readonly heapMegabytes: number
}

/** The default limits. Typed arrays of the engine are outside the heap: up to twenty more bytes per byte compared. */
export const compareBounds: CompareBounds = { timeoutMs: 5_000, heapMegabytes: 128 }

const compareEntry = workerEntry(import.meta.url, 'compare-worker')

/** Copies the bytes to a buffer of their own, which can be transferred to a thread. */
function ownBytes({
  bytes,
  pointer,
}: CompareSide): CompareSide & { readonly bytes: Uint8Array<ArrayBuffer> } {
  return { bytes: new Uint8Array(bytes), pointer }
}

/**
 * Compares in a separate thread, which is stopped if it takes too long or too much memory, or if the client disconnects.
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
