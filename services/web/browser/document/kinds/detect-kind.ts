import { hasEvenRows } from '../table/has-even-rows.js'
import { csvDelimiter } from '../table/looks-like-csv.js'
import { ndjsonText } from './json-text.js'
import { type Kind, kindOfName, kindOfRole, kindsOfTool } from './kind.js'
import {
  looksLikeHtml,
  looksLikeMarkdown,
  looksLikePatch,
  looksLikeSql,
  looksLikeToml,
} from './looks-like.js'
import { looksLikeYaml } from './looks-like-yaml.js'
import { isWellFormedXml } from './markup/scan-markup.js'
import type { PartText } from './part-text.js'
import { type KindContent, plainText, readKind } from './read-kind.js'

/** A larger text is not parsed as YAML or TOML to find out whether it is any. */
const parsedLengthMax = 1_048_576

/** Whether a text without a name is of a kind, told by all of it. `readKind` must agree. */
const tests: readonly (readonly [Kind, (part: PartText) => boolean])[] = [
  ['image', () => true],
  ['jwt', ({ bytes }) => bytes[0] === 0x65],
  ['json', () => true],
  [
    'ndjson',
    ({ bytes }) => (bytes[0] === 0x7b || bytes[0] === 0x5b) && ndjsonText(bytes)?.areContainers === true,
  ],
  ['html', ({ text }) => looksLikeHtml(text())],
  ['xml', ({ text }) => text().trimStart().startsWith('<') && isWellFormedXml(text())],
  ['patch', ({ text }) => looksLikePatch(text())],
  ['sql', ({ text }) => looksLikeSql(text())],
  [
    'csv',
    ({ text }) => {
      const delimiter = csvDelimiter(text())
      return delimiter !== null && hasEvenRows(text(), delimiter)
    },
  ],
  ['toml', ({ text }) => text().length <= parsedLengthMax && looksLikeToml(text())],
  ['yaml', ({ text }) => text().length <= parsedLengthMax && looksLikeYaml(text())],
  ['markdown', ({ text }) => looksLikeMarkdown(text())],
]

/**
 * Finds out what a text is: by the name of its member, then by what its tool says of it, then by all that it holds. A
 * name that the text does not keep to is passed over.
 */
export async function detectKind(part: PartText, name: string, tool: string): Promise<KindContent> {
  const named = [kindOfName(name), kindOfRole(name, kindsOfTool(tool))]
  for (const kind of new Set(named)) {
    const found = kind === null ? null : await readKind(kind, part)
    if (found !== null) return found
  }
  for (const [kind, test] of tests) {
    const found = test(part) ? await readKind(kind, part) : null
    if (found !== null) return found
  }
  return plainText
}
