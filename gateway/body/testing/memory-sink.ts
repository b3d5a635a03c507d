import type { DocumentSink } from '../data-receiver.js'

/** Records the documents that were written, and their fate. */
export interface MemorySinks {
  readonly opened: MemorySink[]
  open(): DocumentSink
}

/** The chunks of one document. */
export interface MemorySink {
  readonly chunks: Uint8Array[]
  state: 'open' | 'finished' | 'cancelled'
}

/** @param write delays each chunk until it resolves. */
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
