import { Worker } from 'node:worker_threads'
import { type WorkerEntry, workerEntry } from '#libs/runtime/worker-entry.js'
import { ToolInputError } from '#libs/tools/tool.js'
import type { ByteSource } from '../../body/body-bytes.js'
import type { MessageFromTool, MessageToTool, ToolJob } from './tool-messages.js'

/** A tool took more time or memory than it may. */
export class ToolLimitError extends Error {
  constructor(limit: 'time' | 'memory') {
    super(`the tool took too much ${limit}`)
    this.name = 'ToolLimitError'
  }
}

/** The bounds of a run. */
export interface ToolBounds {
  /** Of work, in milliseconds: the time in which the thread waits for input or for a reader does not count. */
  readonly workMs: number
  /** Of the whole run, waiting included: little input may make output that is read for hours. */
  readonly totalMs: number
  readonly heapMegabytes: number
}

/** The default bounds. */
export const toolBounds: ToolBounds = { workMs: 15_000, totalMs: 900_000, heapMegabytes: 96 }

const toolEntry = workerEntry(import.meta.url, 'tool-worker')

/** Chunks of output that may be on their way: the thread works on one while the other is sent. */
const chunksAhead = 2

/** Measures work, and calls `onEnd` when there was too much of it. */
function createStopwatch(limitMs: number, onEnd: () => void) {
  let left = limitMs
  let since = 0
  let timer: NodeJS.Timeout | undefined
  return {
    start() {
      if (timer !== undefined) return
      since = performance.now()
      timer = setTimeout(onEnd, left)
    },
    stop() {
      if (timer === undefined) return
      clearTimeout(timer)
      timer = undefined
      left = Math.max(0, left - (performance.now() - since))
    },
  }
}

interface Reader {
  resolve(chunk: Buffer | null): void
  reject(error: unknown): void
}

/**
 * Runs a tool in a thread of its own; `stop` ends it.
 * @returns its output. `next` throws ToolInputError, ToolLimitError, and what `input` throws.
 */
export function runInWorker(
  job: ToolJob,
  input: ByteSource,
  bounds: ToolBounds = toolBounds,
  entry: WorkerEntry = toolEntry,
): ByteSource {
  const worker = new Worker(entry.url, {
    workerData: job,
    execArgv: [...entry.execArgv],
    // It needs no secrets.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: bounds.heapMegabytes, maxYoungGenerationSizeMb: 32 },
  })
  const arrived: (Buffer | null)[] = []
  let failure: { readonly error: unknown } | null = null
  let reader: Reader | null = null
  let isOver = false
  /** The thread waits for input, or has nothing that it may send. */
  let readsInput = false
  let ahead = chunksAhead

  const stopwatch = createStopwatch(bounds.workMs + entry.loadingMs, () => end(new ToolLimitError('time')))
  const total = setTimeout(() => end(new ToolLimitError('time')), bounds.totalMs)
  const send = (message: MessageToTool, transfer: readonly ArrayBuffer[] = []): void => {
    if (!isOver) worker.postMessage(message, [...transfer])
  }
  const watch = (): void => (isOver || readsInput || ahead === 0 ? stopwatch.stop() : stopwatch.start())

  /** Ends the thread; with an error, the reader gets that. */
  function end(error: unknown): void {
    if (isOver) return
    isOver = true
    watch()
    clearTimeout(total)
    void worker.terminate()
    if (error === null) return
    failure = { error }
    reader?.reject(error)
    reader = null
  }

  function give(chunk: Buffer | null): void {
    if (chunk === null) end(null)
    if (reader === null) arrived.push(chunk)
    else {
      reader.resolve(chunk)
      reader = null
      if (chunk !== null) makeRoom()
    }
  }

  function makeRoom(): void {
    ahead += 1
    watch()
    send({ kind: 'more' })
  }

  async function feed(): Promise<void> {
    readsInput = true
    watch()
    const chunk = await input.next()
    readsInput = false
    watch()
    // A copy: the memory of a chunk belongs to its socket.
    const bytes = chunk === null ? null : new Uint8Array(chunk)
    send({ kind: 'input', bytes }, bytes === null ? [] : [bytes.buffer])
  }

  worker.on('message', (message: MessageFromTool) => {
    switch (message.kind) {
      case 'read':
        feed().catch(end)
        break
      case 'output':
        ahead -= 1
        watch()
        give(Buffer.from(message.bytes.buffer))
        break
      case 'done':
        give(null)
        break
      case 'refused':
        end(new ToolInputError(message.code, message.message, message.position))
        break
      default:
        message satisfies never
    }
  })
  worker.once('error', (error: Error & { readonly code?: string }) =>
    end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ToolLimitError('memory') : error),
  )
  worker.once('exit', (code) => end(new Error(`the thread of a tool ended with ${code}`)))
  for (let chunk = 0; chunk < chunksAhead; chunk += 1) send({ kind: 'more' })
  watch()

  return {
    async next() {
      const chunk = arrived.shift()
      if (chunk !== undefined) {
        if (chunk !== null) makeRoom()
        return chunk
      }
      if (failure !== null) throw failure.error
      return new Promise((resolve, reject) => {
        reader = { resolve, reject }
      })
    },
    stop(reason) {
      end(reason)
      input.stop(reason)
    },
  }
}
