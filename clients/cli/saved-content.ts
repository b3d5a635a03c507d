import type { ListedSnippet } from '../sdk/generated/types.js'
import { NotFoundError } from '../sdk/problem-error.js'
import type { Snipkeep } from '../sdk/snipkeep.js'
import type { ContentSource } from './content-source.js'

/** What to save under a name. */
export interface Wanted {
  readonly tool: string
  /** `undefined` if the server chooses it. */
  readonly title: string | undefined
  readonly tags: readonly string[]
  /** The member of `data` that holds the text; `null` if the content is `data` itself. */
  readonly key: string | null
  readonly source: ContentSource
}

type Bytes = AsyncIterable<Uint8Array>

/**
 * Encodes bytes as the inside of a JSON string, with as few escapes as possible. Non-ASCII needs none, so it
 * is not decoded.
 */
function escaped(chunk: Uint8Array): Uint8Array {
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1')
  return Buffer.from(JSON.stringify(text).slice(1, -1), 'latin1')
}

/** Text as the gateway stores it: one member of an object. */
async function* storedText(text: Bytes, key: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`{${JSON.stringify(key)}:"`)
  for await (const chunk of text) yield escaped(chunk)
  yield Buffer.from('"}')
}

/** Whether two streams have the same bytes; stops at the first difference. */
async function areEqual(one: Bytes, other: Bytes): Promise<boolean> {
  const others = other[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array()
  try {
    for await (const chunk of one) {
      for (let at = 0; at < chunk.length; ) {
        if (rest.length === 0) {
          const next = await others.next()
          if (next.done === true) return false
          rest = next.value
        }
        const count = Math.min(rest.length, chunk.length - at)
        if (Buffer.compare(chunk.subarray(at, at + count), rest.subarray(0, count)) !== 0) return false
        at += count
        rest = rest.subarray(count)
      }
    }
    while (rest.length === 0) {
      const next = await others.next()
      if (next.done === true) return true
      rest = next.value
    }
    return false
  } finally {
    await others.return?.()
  }
}

function hasSameFields(saved: ListedSnippet, { tool, title, tags }: Wanted): boolean {
  const wanted = [...new Set(tags.map((tag) => tag.trim()))]
  return (
    saved.tool === tool &&
    (title === undefined || saved.title === title) &&
    JSON.stringify(saved.tags) === JSON.stringify(wanted)
  )
}

/**
 * The snippet of a name if it already has the wanted content, else `null`. The content is only read if its
 * size can match.
 */
export async function savedAlready(
  sk: Snipkeep,
  reference: string,
  wanted: Wanted,
): Promise<ListedSnippet | null> {
  const { key, source } = wanted
  try {
    const { etag: _etag, ...saved } = await sk.snippets.get(reference, { includeData: false })
    // An escape takes up to six bytes.
    const [least, most] = key === null ? [source.size, source.size] : [source.size, source.size * 6 + 1_024]
    const { size_bytes: size } = saved
    if (size < least || size > most || !hasSameFields(saved, wanted)) return null
    const { body } = await sk.snippets.raw(reference)
    const content = key === null ? source.open() : storedText(source.open(), key)
    return (await areEqual(content, body)) ? saved : null
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}
