import type { CallToolResult } from '@modelcontextprotocol/server'
import { ProblemError, SnipkeepError } from '../sdk/problem-error.js'

/**
 * How many bytes of content one result carries. With its metadata a result stays below 8 KiB: assistants warn
 * about longer ones, and some truncate them silently.
 */
export const contentBytesMax = 7_000

/** A text of at most so many characters: a longer one ends with an ellipsis. */
export function shortened(text: string, charactersMax: number): string {
  // No character has more than two units, so only the beginning of a long text is looked at.
  const characters = [...text.slice(0, 2 * (charactersMax + 1))]
  return characters.length <= charactersMax ? text : `${characters.slice(0, charactersMax - 1).join('')}…`
}

/** A result that is one JSON text. */
export function jsonResult(value: unknown): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] }
}

/**
 * A short result of a tool with an `outputSchema`: as text, and for programs. Pages and comparisons have none, since
 * twice they would be longer than a result may be.
 */
export function structuredResult(value: Readonly<Record<string, unknown>>): CallToolResult {
  return { ...jsonResult(value), structuredContent: value }
}

/** A link to the stored data, for clients that support resources. */
export function resourceLink(kind: 'snippets' | 'shares', id: string): CallToolResult['content'][number] {
  return { type: 'resource_link', uri: `snipkeep://${kind}/${id}`, name: id, mimeType: 'application/json' }
}

/** An error that an assistant can act on. */
export function errorResult(message: string): CallToolResult {
  return { content: [{ type: 'text', text: message }], isError: true }
}

/**
 * Runs a tool; an error response of the server becomes a result with the same `code` as in the REST API.
 * @param thrown the code of a response that is thrown instead.
 * @throws everything else, such as programming errors.
 */
export async function resultOf(run: () => Promise<CallToolResult>, thrown?: string): Promise<CallToolResult> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ProblemError && error.code === thrown) throw error
    if (error instanceof ProblemError) {
      const { status, code, detail, errors, requestId } = error
      const more = errors.length > 0 ? { errors } : {}
      const problem = { status, code, detail, ...more, request_id: requestId }
      return errorResult(JSON.stringify(problem).slice(0, contentBytesMax))
    }
    if (error instanceof SnipkeepError) return errorResult(error.message)
    throw error
  }
}

/** Part of a text, cut between characters. */
export interface Excerpt {
  readonly text: string
  /** Where it begins, in bytes. */
  readonly offset: number
  /** Where the rest begins; `null` at the end. */
  readonly nextOffset: number | null
}

const isInsideCharacter = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** The bytes from `from` up to `to`, as they arrive; the rest is not read. */
async function readRange(body: AsyncIterable<Uint8Array>, from: number, to: number): Promise<Uint8Array> {
  const kept = new Uint8Array(to - from)
  let position = 0
  let length = 0
  // Leaving the loop cancels the stream.
  for await (const chunk of body) {
    const wanted = chunk.subarray(Math.max(0, from - position), Math.max(0, to - position))
    kept.set(wanted, length)
    length += wanted.length
    position += chunk.length
    if (position >= to) break
  }
  return kept.subarray(0, length)
}

/**
 * At most `bytesMax` bytes of UTF-8 from `offset` on.
 * @param offset in bytes; one inside a character moves to the next character.
 */
export async function readExcerpt(
  { body }: { readonly body: AsyncIterable<Uint8Array> },
  offset: number,
  bytesMax: number,
): Promise<Excerpt> {
  // The extra byte tells whether there is more; the three before it, whether a character is cut.
  const bytes = await readRange(body, offset, offset + bytesMax + 1)
  let start = 0
  while (start < 3 && isInsideCharacter(bytes[start])) start += 1
  const hasMore = bytes.length > bytesMax
  let end = Math.min(bytes.length, bytesMax)
  while (hasMore && end > start && isInsideCharacter(bytes[end])) end -= 1
  return {
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end)),
    offset: offset + start,
    nextOffset: hasMore ? offset + end : null,
  }
}
