/** Bytes that can be read repeatedly. */
export interface ReadableContent {
  /** The bytes from the beginning. */
  open(): ReadableStream<Uint8Array>
  /** Their number; `null` if unknown. */
  readonly size: number | null
}

/**
 * Content to upload: text, bytes, a Blob or File, a stream, or the result of `fromFile`. A bare stream can be
 * read once, so failed requests are not retried.
 */
export type Content = string | Uint8Array | Blob | ReadableStream<Uint8Array> | ReadableContent

/** Content for the transport. */
export interface Body {
  readonly type: string
  /** The number of bytes; `null` if unknown. */
  readonly size: number | null
  /** Whether it can be read again for a retry. */
  readonly isRepeatable: boolean
  open(): ReadableStream<Uint8Array> | Uint8Array | Blob
}

const utf8 = new TextEncoder()

/** A body of this media type. */
export function bodyOf(content: Content, type: string): Body {
  if (typeof content === 'string') return bytesOf(utf8.encode(content), type)
  if (content instanceof Uint8Array) return bytesOf(content, type)
  if (content instanceof Blob) return { type, size: content.size, isRepeatable: true, open: () => content }
  if (content instanceof ReadableStream) return { type, size: null, isRepeatable: false, open: () => content }
  return { type, size: content.size, isRepeatable: true, open: () => content.open() }
}

function bytesOf(bytes: Uint8Array, type: string): Body {
  return { type, size: bytes.length, isRepeatable: true, open: () => bytes }
}

/** A JSON body. */
export function jsonBody(text: string): Body {
  return bytesOf(utf8.encode(text), 'application/json')
}
