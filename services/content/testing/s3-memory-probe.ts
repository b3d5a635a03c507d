import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { S3Options } from '../adapters/s3-client.js'
import { s3DocumentStore } from '../adapters/s3-document-store.js'
import { documentId } from '../domain/ids.js'

/** The probe's task: one document of this many 1 MiB chunks, with a pause after each. */
export interface ProbeTask {
  readonly options: S3Options
  readonly id: string
  readonly chunks: number
  readonly pauseMs: number
}

/** The probe's result: the most memory held beyond that before the first chunk. */
export interface ProbeReport {
  readonly writePeakBytes: number
  readonly readPeakBytes: number
  readonly bytesRead: number
}

/** Bytes still referenced: garbage is collected first, so that its timing decides nothing. */
function heldBytes(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Measures the memory growth at every eighth chunk. */
async function peakOf(): Promise<{ readonly take: () => void; readonly bytes: () => number }> {
  // Memory of collected buffers is only subtracted in a later turn.
  globalThis.gc?.()
  await nextTurn()
  const before = heldBytes()
  let peak = before
  let chunks = 0
  return {
    take: () => {
      chunks += 1
      if (chunks % 8 === 0) peak = Math.max(peak, heldBytes())
    },
    bytes: () => peak - before,
  }
}

async function probe({ options, id, chunks, pauseMs }: ProbeTask): Promise<ProbeReport> {
  const store = s3DocumentStore(options, 600_000)
  async function* source(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let n = 0; n < chunks; n += 1) {
      process.send?.({ taken: n })
      written.take()
      yield Buffer.alloc(1_048_576, n)
      if (pauseMs > 0) await sleep(pauseMs)
    }
  }
  // The memory of the first connection does not count.
  for await (const _chunk of store.read(documentId('unknown'), { offset: 0, length: null }));
  const written = await peakOf()
  await store.write(documentId(id), source())
  const read = await peakOf()
  let bytesRead = 0
  for await (const chunk of store.read(documentId(id), { offset: 0, length: null })) {
    bytesRead += chunk.length
    read.take()
  }
  store.close()
  return { writePeakBytes: written.bytes(), readPeakBytes: read.bytes(), bytesRead }
}

process.once('message', (task: ProbeTask) => {
  probe(task).then(
    (report) => process.send?.({ report }, () => process.disconnect()),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      process.exit(1)
    },
  )
})
