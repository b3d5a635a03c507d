import { textBetween } from '#engine/json-bytes/json-bytes.js'
import { ToolInputError } from '#engine/tools/tool-input-error.js'
import { wholeBytes } from '#engine/tools/whole-input.js'
import type { Picture } from '../../../rendering/picture.js'
import type { DiffReader } from '../diff/diff-reader.js'
import type { CsvContent } from '../table/csv-table.js'
import type { Kind } from './kind.js'

/** The text of a part, decoded on first use. */
export interface PartText {
  readonly bytes: Uint8Array
  text(): string
}

export function partText(bytes: Uint8Array): PartText {
  let decoded: string | null = null
  return {
    bytes,
    text() {
      decoded ??= textBetween(bytes, 0, bytes.length)
      return decoded
    },
  }
}

/** A text read as one kind; everything its views need is computed on first use. */
export interface KindContent {
  readonly kind: Kind
  /** The formatted text as UTF-8; `null` if formatting changes nothing. */
  readonly formatted: (() => Uint8Array) | null
  /** Its content as JSON; `null` if it has no structure. */
  readonly tree: (() => Uint8Array) | null
  readonly table: 'objects' | null
  /** How it was read as CSV; `null` for other kinds. */
  readonly csv: CsvContent | null
  readonly picture: Picture | null
  /** Markdown as HTML, not yet sanitised. */
  readonly markup: string | null
  readonly diff: (() => DiffReader) | null
  /** Whether it is too large for the views of its kind and shown as text. */
  readonly isTooLarge: boolean
}

/** Plain text. */
export const plainText: KindContent = {
  kind: 'text',
  formatted: null,
  tree: null,
  table: null,
  csv: null,
  picture: null,
  markup: null,
  diff: null,
  isTooLarge: false,
}

/** A text of this kind, with these views. */
export function content(kind: Kind, views: Partial<KindContent>): KindContent {
  return { ...plainText, kind, ...views }
}

// What lazily loaded readers share is loaded with the worker, so that each of them is one request.

/** What a tool makes of a text, or the code of its refusal. */
export async function made(output: AsyncIterable<Uint8Array>): Promise<Uint8Array | string> {
  try {
    return await wholeBytes(output)
  } catch (error) {
    if (error instanceof ToolInputError) return error.code
    throw error
  }
}

/** A text formatted by a tool, with its tree if it has one. */
export function withFormatted(
  kind: Kind,
  formatted: Uint8Array | string,
  tree: Uint8Array | string | null = null,
): KindContent {
  return content(kind, {
    formatted: typeof formatted === 'string' ? null : () => formatted,
    tree: tree === null || typeof tree === 'string' ? null : () => tree,
  })
}
