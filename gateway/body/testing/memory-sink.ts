import type { DocumentSink } from '../data-receiver.js'

/** Documents in memory, and what became of them. */
export interface MemorySinks {
  readonly opened: MemorySink[]
  open(): DocumentSink
}

/** What one sink was given. */
export interface MemorySink {
  readonly chunks: Uint8Array[]
  state: 'open' | 'finished' | 'cancelled'
}

/** Sinks that take chunks as fast as `write` lets them. */
export function memorySinks(write: (chunk: Uint8Array) => Promise<void> = async () => {}): MemorySinks {
  const opened: MemorySink[] = []
  return {
    opened,
    open() {
      const sink: MemorySink = { chunks: [], state: 'open' }
      opened.push(sink)
      return {
        async write(chunk) {
          if (sink.state !== 'open') throw new Error(`a chunk came to a sink that is ${sink.state}`)
          sink.chunks.push(new Uint8Array(chunk))
          await write(chunk)
        },
        async finish() {
          sink.state = 'finished'
          const sizeBytes = sink.chunks.reduce((sum, chunk) => sum + chunk.length, 0)
          return { documentId: `document-${opened.length}`, sizeBytes }
        },
        cancel() {
          sink.state = 'cancelled'
        },
      }
    },
  }
}
