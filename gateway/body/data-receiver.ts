import { allocateWithHeadroom } from '#libs/grpc/zero-copy/headroom.js'
import type { NewData } from '#proto/snipkeep/content/v1/document_service.js'
import { inlineBytesMax } from '#shared/core/data-size.js'
import { createByteBuffer } from './byte-buffer.js'

/** The destination of a document that is too large for a message. */
export interface DocumentSink {
  /** Takes a chunk; resolves when there is room for the next. Then the chunk's memory is reused. */
  write(chunk: Uint8Array): Promise<void>
  /** Resolves when the document is stored. */
  finish(): Promise<{ documentId: string; sizeBytes: number }>
  /** Abandons the document. */
  cancel(): void
}

/** Takes the bytes of `data` as they come. */
export interface DataReceiver {
  /** Resolves when more may come; at most two chunks of the sink are held. */
  write(bytes: Uint8Array): Promise<void>
  /** The bytes themselves if they are few, else the id under which they were stored. */
  finish(): Promise<NewData>
  /** Discards what was received and accepts nothing more. */
  cancel(): void
}

/** The size of the chunks that a sink gets. */
export const sinkChunkBytes = 262_144

/** Holds `data` up to 64 KiB; beyond that opens the sink once and sends everything there, one chunk ahead. */
export function createDataReceiver(openSink: () => DocumentSink): DataReceiver {
  const inline = createByteBuffer()
  let sink: DocumentSink | null = null
  let writing: Promise<void> = Promise.resolve()
  /** One is filled while the sink takes the other, so that no upload leaves more garbage than these two. */
  let filling = Buffer.alloc(0)
  let spare = Buffer.alloc(0)
  let filled = 0
  let sizeBytes = 0
  let cancelled = false

  async function flush(to: DocumentSink): Promise<void> {
    await writing
    if (cancelled) throw new Error('the document was abandoned')
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
      if (stored.sizeBytes !== sizeBytes) throw new Error('the document was stored with another size')
      return { source: { $case: 'documentId', value: stored.documentId } }
    },
    cancel() {
      if (cancelled) return
      cancelled = true
      sink?.cancel()
    },
  }
}
