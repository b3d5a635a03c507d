import { likelyEncoding } from '../encoding/find-encoding.js'
import { positionIn, ToolInputError } from './tool-input-error.js'

/** Collects bytes. */
export class GrowingBytes {
  length = 0
  private bytes: Uint8Array

  /** @param expected how many they probably are. */
  constructor(expected = 1_024) {
    this.bytes = new Uint8Array(expected)
  }

  append(more: Uint8Array): void {
    const needed = this.length + more.length
    if (needed > this.bytes.length) {
      const larger = new Uint8Array(Math.max(needed, this.bytes.length * 2))
      larger.set(this.bytes.subarray(0, this.length))
      this.bytes = larger
    }
    this.bytes.set(more, this.length)
    this.length = needed
  }

  whole(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }
}

/** All bytes of an input, for tools that cannot work on parts of it. */
export async function wholeBytes(input: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const bytes = new GrowingBytes()
  for await (const chunk of input) bytes.append(chunk)
  return bytes.whole()
}

/**
 * The text of an input, without a byte order mark.
 * @throws ToolInputError `not_utf8` at the first byte that is not UTF-8.
 */
export async function wholeText(input: AsyncIterable<Uint8Array>): Promise<string> {
  return decodedText(await wholeBytes(input))
}

/**
 * The text of an input for a tool whose library holds a tree of it, many times as large.
 * @throws ToolInputError `input_too_large`, or `not_utf8`.
 */
export async function boundedText(input: AsyncIterable<Uint8Array>, bytesMax: number): Promise<string> {
  async function* bounded(): AsyncGenerator<Uint8Array> {
    let length = 0
    for await (const chunk of input) {
      length += chunk.length
      if (length > bytesMax)
        throw new ToolInputError('input_too_large', `This tool takes at most ${bytesMax / 1024} KiB.`)
      yield chunk
    }
  }
  return wholeText(bounded())
}

/**
 * The text of bytes, without a byte order mark.
 * @throws ToolInputError `not_utf8` at the first byte that is not UTF-8.
 */
export function decodedText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const message = `The text is not UTF-8. ${likelyEncoding(bytes)}`
    throw new ToolInputError('not_utf8', message, positionIn(bytes, badByte(bytes)))
  }
}

/** Whether bytes are UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** The first byte that is not part of a character of UTF-8, or the length of the bytes. */
export function badByte(bytes: Uint8Array): number {
  let [good, bad] = [0, bytes.length]
  while (good < bad) {
    const middle = (good + bad) >> 1
    try {
      // A character that the cut splits is not an error while more may follow.
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, middle + 1), { stream: true })
      good = middle + 1
    } catch {
      bad = middle
    }
  }
  // Up to there nothing is wrong, but the last character may lack bytes: then it is the bad one.
  return wholeCharactersEnd(bytes.subarray(0, good))
}

/** Where the last character ends of which all bytes are there, in bytes without another mistake. */
export function wholeCharactersEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) {
      const size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
      return size > back ? bytes.length - back : bytes.length
    }
  }
  return bytes.length
}

/** Bytes as the output of a tool, in chunks of moderate size. */
export async function* byteChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const bytesMax = 65_536
  for (let at = 0; at < bytes.length; at += bytesMax) yield bytes.slice(at, at + bytesMax)
}

/** Text as the output of a tool, in chunks of moderate size. */
export async function* textChunks(text: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const unitsMax = 65_536
  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at + unitsMax - 1)
    // Both halves of a pair belong to one chunk.
    const end = at + unitsMax - (unit >= 0xd800 && unit <= 0xdbff ? 1 : 0)
    yield encoder.encode(text.slice(at, end))
    at = end
  }
}
