import type { FoundSecret } from '#engine/secrets/match-secret.js'
import type { ContentSource } from './content-source.js'

interface Range {
  readonly start: number
  readonly end: number
}

const mark = new TextEncoder().encode('***')

/** The longest private key, with its end line. */
const keyBytesMax = 16_384

/** The bytes of a range, as far as there are some. */
async function bytesOf(source: ContentSource, { start, end }: Range): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let offset = 0
  for await (const chunk of source.open()) {
    parts.push(chunk.slice(Math.max(0, start - offset), Math.max(0, end - offset)))
    offset += chunk.length
    if (offset >= end) break
  }
  return Buffer.concat(parts)
}

/** Where a private key ends, of which the first line was found: before its end line, or with its last character. */
async function keyEnd(source: ContentSource, { end }: FoundSecret): Promise<number> {
  const bytes = await bytesOf(source, { start: end, end: end + keyBytesMax })
  const text = Buffer.from(bytes).toString('latin1')
  const endLine = text.indexOf('-----END ')
  const length = endLine === -1 ? (/^[A-Za-z0-9+/=\s\\]*/.exec(text)?.[0].length ?? 0) : endLine
  return end + length
}

async function rangesOf(source: ContentSource, found: readonly FoundSecret[]): Promise<readonly Range[]> {
  const ranges: Range[] = []
  for (const one of found) {
    const start = Math.max(one.start, ranges.at(-1)?.end ?? 0)
    const end = one.hasEndLine ? await keyEnd(source, one) : one.end
    if (end > start) ranges.push({ start, end })
  }
  return ranges
}

/** A stream without the bytes in these ranges, each replaced by `***`. */
async function* without(
  content: AsyncIterable<Uint8Array>,
  ranges: readonly Range[],
): AsyncGenerator<Uint8Array> {
  let [offset, next] = [0, 0]
  for await (const chunk of content) {
    let at = 0
    while (at < chunk.length) {
      const range = ranges[next]
      const [start, end] =
        range === undefined ? [Infinity, Infinity] : [range.start - offset, range.end - offset]
      if (at < start) {
        yield chunk.subarray(at, Math.min(start, chunk.length))
        at = Math.min(start, chunk.length)
      } else {
        at = Math.min(end, chunk.length)
        if (end <= chunk.length) {
          yield mark
          next += 1
        }
      }
    }
    offset += chunk.length
  }
}

/** A content in which `***` stands for each secret that was found. */
export async function redacted(source: ContentSource, found: readonly FoundSecret[]): Promise<ContentSource> {
  const ranges = await rangesOf(source, found)
  const removed = ranges.reduce((sum, { start, end }) => sum + end - start - mark.length, 0)
  return {
    name: source.name,
    size: source.size - removed,
    open: () => ReadableStream.from(without(source.open(), ranges)),
    close: () => source.close(),
  }
}
