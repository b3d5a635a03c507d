import { allocateWithHeadroom } from '#libs/grpc/zero-copy/bytes-field.js'
import type { NewData } from '#proto/snipkeep/content/v1/document_service.js'
import { inlineBytesMax } from '#shared/core/data-size.js'
import { createByteBuffer } from './body-bytes.js'

/** The destination of a document that is too large for a message. */
export interface DocumentSink {
  /** Resolves when there is room for the next chunk; from then on the memory of this one is reused. */
  write(chunk: Uint8Array): Promise<void>
  /** Resolves when the document is stored. */
  finish(): Promise<{ documentId: string; sizeBytes: number }>
  cancel(): void
}

/** Receives the bytes of `data` as they arrive. */
export interface DataReceiver {
  /** Resolves when there is room for more; holds at most two chunks. */
  write(bytes: Uint8Array): Promise<void>
  /** Returns up to 64 KiB as bytes, and more as the id of the stored document. */
  finish(): Promise<NewData>
  /** Discards what was received, and ignores the rest. */
  cancel(): void
}

/** The size of the chunks for the sink. */
export const sinkChunkBytes = 262_144

/** Holds up to 64 KiB; beyond that, opens the sink once and sends everything there. */
export function createDataReceiver(openSink: () => DocumentSink): DataReceiver {
  const inline = createByteBuffer()
  let sink: DocumentSink | null = null
  let writing: Promise<void> = Promise.resolve()
  /** One chunk is filled while the sink sends the other, so that an upload of any size allocates only two. */
  let filling = Buffer.alloc(0)
  let spare = Buffer.alloc(0)
  let filled = 0
  let sizeBytes = 0
  let cancelled = false

  async function flush(to: DocumentSink): Promise<void> {
    await writing
    if (cancelled) throw new Error('the upload was cancelled')
    writing = to.write(filling.subarray(0, filled))
    writing.catch(() => {})
    const free = spare
    spare = filling
    filling = free
    filled = 0
  }

  async function send(to: DocumentSink, bytes: Uint8Array): Promise<void> {
    let at = 0
    while (at < bytes.length) {
      if (filling.length === 0) filling = allocateWithHeadroom(sinkChunkBytes)
      const part = bytes.subarray(at, at + filling.length - filled)
      filling.set(part, filled)
      filled += part.length
      at += part.length
      if (filled === filling.length) await flush(to)
    }
  }

  return {
    async write(bytes) {
      if (cancelled) return
      sizeBytes += bytes.length
      if (sizeBytes <= inlineBytesMax) {
        inline.append(bytes)
        return
      }
      if (sink === null) {
        sink = openSink()
        await send(sink, inline.view())
        inline.clear()
      }
      await send(sink, bytes)
    },
    async finish() {
      if (sink === null) return { source: { $case: 'inline', value: inline.view() } }
      if (filled > 0) await flush(sink)
      await writing
      const stored = await sink.finish()
      if (stored.sizeBytes !== sizeBytes) throw new Error('the stored document has another size')
      return { source: { $case: 'documentId', value: stored.documentId } }
    },
    cancel() {
      if (cancelled) return
      cancelled = true
      sink?.cancel()
    },
  }
}
