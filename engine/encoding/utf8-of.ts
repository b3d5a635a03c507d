import { joinBytes } from '../join-bytes.js'
import type { EncodingName } from './encodings.js'
import { contradiction, type FoundEncoding, findEncoding, headBytes } from './find-encoding.js'
import { Transcoder } from './transcoder.js'

/** How a text is read. */
export interface EncodingChoice {
  /** `auto` goes by a byte order mark, or by the declaration of XML. */
  readonly encoding: 'auto' | EncodingName
  readonly isXml: boolean
}

/** Finds out whether bytes are UTF-8 and more than ASCII. */
class Utf8Suspicion {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true })
  private hasOther = false
  private isUtf8 = true

  take(chunk: Uint8Array, isLast = false): void {
    if (!this.isUtf8) return
    try {
      this.decoder.decode(chunk, { stream: !isLast })
      this.hasOther ||= chunk.some((byte) => byte >= 0x80)
    } catch {
      this.isUtf8 = false
    }
  }

  get isLikely(): boolean {
    return this.isUtf8 && this.hasOther
  }
}

/** Turns the chunks of a text into UTF-8, whose mark it keeps. A chunk that needs no change stays as it is. */
export interface Utf8Writer {
  take(chunk: Uint8Array): Uint8Array
  /** @throws ToolInputError `encoding_unclear` if the text is not in the encoding that it declares, by all evidence. */
  end(): Uint8Array
}

function writerFor({ encoding, declared }: FoundEncoding): Utf8Writer {
  if (encoding === 'utf-8') return { take: (chunk) => chunk, end: () => new Uint8Array(0) }
  const transcoder = new Transcoder(encoding)
  const suspicion = declared === null ? null : new Utf8Suspicion()
  return {
    take(chunk) {
      suspicion?.take(chunk)
      return transcoder.take(chunk)
    },
    end() {
      suspicion?.take(new Uint8Array(0), true)
      if (declared !== null && suspicion?.isLikely === true) throw contradiction(declared)
      return transcoder.end()
    },
  }
}

/** A writer that looks at the beginning first, unless the encoding is known. */
export function utf8Writer({ encoding, isXml }: EncodingChoice): Utf8Writer {
  if (encoding !== 'auto') return writerFor({ encoding, declared: null })
  let writer: Utf8Writer | null = null
  let head = new Uint8Array(0)
  const open = (): Uint8Array => {
    writer = writerFor(findEncoding(head, isXml))
    return writer.take(head)
  }
  return {
    take(chunk) {
      if (writer !== null) return writer.take(chunk)
      if (head.length === 0 && chunk.length >= headBytes) {
        writer = writerFor(findEncoding(chunk.subarray(0, headBytes), isXml))
        return writer.take(chunk)
      }
      head = joinBytes(head, chunk)
      return head.length < headBytes ? new Uint8Array(0) : open()
    },
    end() {
      const first = writer === null ? open() : new Uint8Array(0)
      return joinBytes(first, writer?.end() ?? new Uint8Array(0))
    },
  }
}

/** The text of an input in UTF-8. */
export async function* utf8Of(
  input: AsyncIterable<Uint8Array>,
  choice: EncodingChoice,
): AsyncGenerator<Uint8Array> {
  const writer = utf8Writer(choice)
  for await (const chunk of input) {
    const text = writer.take(chunk)
    if (text.length > 0) yield text
  }
  const last = writer.end()
  if (last.length > 0) yield last
}
