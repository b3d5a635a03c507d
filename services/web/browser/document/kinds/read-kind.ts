import { afterSpace } from '#engine/json-bytes/json-bytes.js'
import { isContainer } from '#engine/json-bytes/json-walk.js'
import { markLength } from '#engine/mark-length.js'
import { readPicture } from '../../../rendering/picture.js'
import { once } from '../once.js'
import { type CsvChoice, readCsv, strictCsv } from '../table/csv-table.js'
import { jsonText } from './json-text.js'
import { isLanguage, type Kind } from './kind.js'
import { content, type KindContent, type PartText } from './kind-content.js'
import { formatMarkup } from './markup/format-markup.js'
import { markupTree } from './markup/markup-tree.js'

const json5BytesMax = 1_048_576

/**
 * The size limit, in bytes, for the views of a kind: above it, parsers and formatters take too long. Other
 * kinds have none.
 */
const bytesMax: Partial<Readonly<Record<Kind, number>>> = {
  json5: json5BytesMax,
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
const slash = 0x2f

/** Whether a text has nothing but white space of ASCII, or a byte order mark. */
function isBlank(bytes: Uint8Array): boolean {
  const from = markLength(bytes)
  return bytes.every((byte, at) => at < from || byte <= 0x20)
}

/** Whether a text begins and ends as an object or array of JSON does, or has comments there. */
function mayBeCommented({ bytes, text }: PartText): boolean {
  const first = bytes[afterSpace(bytes, markLength(bytes))]
  if (!isContainer(first) && first !== slash) return false
  return /[}\]]$/.test(text().trimEnd()) || /\/[/*]/.test(text())
}

function beginsWithTag({ text }: PartText): boolean {
  return text().slice(0, 1_000).trimStart().startsWith('<')
}

const loadMarkdown = () => import('../../../rendering/markdown-markup.js')

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
      if (json !== null) return content(kind, { tree: () => json, table: 'objects' })
      const commented = await readKind('jsonc', part)
      const isSmall = part.bytes.length <= json5BytesMax
      return commented ?? (isSmall ? readKind('json5', part) : null)
    }
    case 'jsonc':
      return mayBeCommented(part) ? (await import('./read-by-tool.js')).readCommentedJson(part) : null
    case 'json5':
      return mayBeCommented(part) ? (await import('./read-by-tool.js')).readJson5(part) : null
    case 'ndjson':
      return (await import('./read-by-tool.js')).readLines(part)
    case 'csv':
      return isBlank(part.bytes) ? null : content(kind, { csv: readCsv(part.bytes, csv) })
    case 'xml':
      return beginsWithTag(part) ? (await import('./read-by-tool.js')).readXml(part) : null
    case 'html':
      return beginsWithTag(part)
        ? content(kind, {
            formatted: () => utf8.encode(formatMarkup(part.text())),
            tree: once(() => markupTree(part.text())),
          })
        : null
    case 'yaml':
      return (await import('./read-yaml.js')).readYaml(part)
    case 'toml': {
      const tree = (await import('./toml-tree.js')).tomlTree(part.text())
      return tree === null ? null : content(kind, { tree: () => tree })
    }
    case 'jwt':
      return (await import('./read-by-tool.js')).readJwt(part)
    case 'sql':
      return (await import('./read-sql.js')).readSql(part)
    case 'image': {
      const picture = readPicture(part.text())
      return picture === null ? null : content(kind, { picture })
    }
    case 'markdown':
      return content(kind, { markup: (await loadMarkdown()).markdownMarkup(part.text()) })
    case 'patch': {
      const { patchDiff } = await import('../diff/diff-reader.js')
      return content(kind, { diff: once(() => patchDiff(part.text())) })
    }
    case 'diff':
    case 'text':
      return content(kind, {})
    default:
      return isLanguage(kind) ? content(kind, {}) : (kind satisfies never)
  }
}
