import { setTimeout as sleep } from 'node:timers/promises'
import type { S3Options } from '../adapters/s3-client.js'
import { s3DocumentStore } from '../adapters/s3-document-store.js'
import { documentId } from '../domain/ids.js'

/** What the probe is to do: one document, so many chunks of 1 MiB, at a pace. */
export interface ProbeTask {
  readonly options: S3Options
  readonly id: string
  readonly chunks: number
  readonly pauseMs: number
}

/** What the probe tells when it is done; memory in bytes above that before the first chunk. */
export interface ProbeReport {
  readonly writeMs: number
  readonly writePeakBytes: number
  readonly readMs: number
  readonly readPeakBytes: number
  readonly bytesRead: number
}

/** Runs `work` and gives how long it took and by how much the process grew at most. */
async function measured(work: () => Promise<void>): Promise<{ ms: number; peakBytes: number }> {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 5)
  const from = performance.now()
  await work()
  clearInterval(timer)
  return { ms: performance.now() - from, peakBytes: peak - before }
}

async function probe({ options, id, chunks, pauseMs }: ProbeTask): Promise<ProbeReport> {
  const store = s3DocumentStore(options, 600_000)
  async function* source(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let n = 0; n < chunks; n += 1) {
      process.send?.({ taken: n })
      yield Buffer.alloc(1_048_576, n)
      if (pauseMs > 0) await sleep(pauseMs)
    }
  }
  let bytesRead = 0
  // What loading the first connection takes is no part of a document.
  for await (const _chunk of store.read(documentId('unknown'), { offset: 0, length: null }));
  const written = await measured(() => store.write(documentId(id), source()))
  const read = await measured(async () => {
    for await (const chunk of store.read(documentId(id), { offset: 0, length: null }))
      bytesRead += chunk.length
  })
  store.close()
  return {
    writeMs: written.ms,
    writePeakBytes: written.peakBytes,
    readMs: read.ms,
    readPeakBytes: read.peakBytes,
    bytesRead,
  }
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
