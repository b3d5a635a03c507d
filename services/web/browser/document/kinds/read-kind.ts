import { markLength } from '#engine/mark-length.js'
import type { DiffReader } from '../diff/diff-reader.js'
import { once } from '../once.js'
import { type CsvChoice, type CsvContent, readCsv, strictCsv } from '../table/csv-table.js'
import { jsonText, ndjsonText } from './json-text.js'
import { jwtTree } from './jwt.js'
import type { Kind } from './kind.js'
import { formatMarkup } from './markup/format-markup.js'
import { markupTree } from './markup/markup-tree.js'
import type { PartText } from './part-text.js'
import { type Picture, readPicture } from './picture.js'

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

/**
 * The size limit, in bytes, for the views of a kind: above it, parsers and formatters take too long. Other
 * kinds have none.
 */
const bytesMax: Partial<Readonly<Record<Kind, number>>> = {
  xml: 16_777_216,
  html: 16_777_216,
  yaml: 1_048_576,
  toml: 1_048_576,
  markdown: 262_144,
  sql: 262_144,
  jwt: 4_194_304,
  image: 25_000_000,
}

const utf8 = new TextEncoder()

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

function content(kind: Kind, views: Partial<KindContent>): KindContent {
  return { ...plainText, kind, ...views }
}

function readMarkup(kind: 'xml' | 'html', { text }: PartText): KindContent {
  const isHtml = kind === 'html'
  return content(kind, {
    formatted: () => utf8.encode(formatMarkup(text(), isHtml)),
    tree: once(() => markupTree(text(), isHtml)),
  })
}

/** Whether a text has nothing but white space of ASCII, or a byte order mark. */
function isBlank(bytes: Uint8Array): boolean {
  const from = markLength(bytes)
  return bytes.every((byte, at) => at < from || byte <= 0x20)
}

function withTree(kind: Kind, tree: Uint8Array | null): KindContent | null {
  return tree === null ? null : content(kind, { tree: () => tree })
}

/** Reads a text as this kind, loading the library it needs; `null` if the text is not of that kind. */
export async function readKind(
  kind: Kind,
  part: PartText,
  csv: CsvChoice = strictCsv,
): Promise<KindContent | null> {
  if (part.bytes.length > (bytesMax[kind] ?? Number.POSITIVE_INFINITY))
    return content(kind, { isTooLarge: true })
  switch (kind) {
    case 'json': {
      const json = jsonText(part.bytes)
      return json === null ? null : content(kind, { tree: () => json, table: 'objects' })
    }
    case 'ndjson': {
      const lines = ndjsonText(part.bytes)
      return lines === null
        ? null
        : content(kind, { tree: () => lines.json, table: lines.areContainers ? 'objects' : null })
    }
    case 'csv':
      return isBlank(part.bytes) ? null : content(kind, { csv: readCsv(part.bytes, csv) })
    case 'xml':
    case 'html':
      return part.text().slice(0, 1_000).trimStart().startsWith('<') ? readMarkup(kind, part) : null
    case 'yaml':
      return withTree(kind, (await import('./yaml-tree.js')).yamlTree(part.text()))
    case 'toml':
      return withTree(kind, (await import('./toml-tree.js')).tomlTree(part.text()))
    case 'jwt': {
      const tree = jwtTree(part.text())
      return tree === null ? null : content(kind, { tree: () => tree })
    }
    case 'sql': {
      const formatted = (await import('./format-sql.js')).formatSql(part.text())
      return content(kind, { formatted: formatted === null ? null : () => utf8.encode(formatted) })
    }
    case 'image': {
      const picture = readPicture(part.text())
      return picture === null ? null : content(kind, { picture })
    }
    case 'markdown':
      return content(kind, { markup: (await import('./markdown-markup.js')).markdownMarkup(part.text()) })
    case 'patch': {
      const { patchDiff } = await import('../diff/diff-reader.js')
      return content(kind, { diff: once(() => patchDiff(part.text())) })
    }
    case 'diff':
    case 'text':
      return content(kind, {})
    default:
      return kind satisfies never
  }
}
