import { looksLikeCsv } from '#engine/csv/looks-like-csv.js'
import { isContainer } from '#engine/json-bytes/json-walk.js'
import { tokenIn, tokenLengthMax } from '#engine/tools/encoding/bearer-token.js'
import { looksLikeMarkdown } from '../../../looks-like-markdown.js'
import { looksLikePicture } from '../../../rendering/picture.js'
import { type Kind, kindOfName, kindOfRole, kindsOfTool, languageOf } from './kind.js'
import { type KindContent, type PartText, plainText } from './kind-content.js'
import { looksLikeHtml, looksLikePatch, looksLikeSql, looksLikeToml } from './looks-like.js'
import { looksLikeYaml } from './looks-like-yaml.js'
import { readKind } from './read-kind.js'

/** Larger texts are not parsed to find out whether they are YAML or TOML. */
const parsedLengthMax = 1_048_576

/** Whether a text is a token of three parts. A longer one would overflow the stack of regular expressions. */
function looksLikeToken(text: string): boolean {
  const { token } = tokenIn(text)
  return token.length <= tokenLengthMax && /^[\w-]{4,}\.[\w-]{2,}\.[\w-]*$/.test(token)
}

/** Whether an unnamed text may be of a kind. */
const tests: readonly (readonly [Kind, (part: PartText) => boolean])[] = [
  ['image', ({ text }) => looksLikePicture(text())],
  ['jwt', ({ text }) => looksLikeToken(text())],
  ['json', () => true],
  ['ndjson', ({ bytes }) => isContainer(bytes[0])],
  ['html', ({ text }) => looksLikeHtml(text())],
  ['xml', ({ text }) => /^\s*</.test(text()) && text().trimEnd().endsWith('>')],
  ['patch', ({ text }) => looksLikePatch(text())],
  ['sql', ({ text }) => looksLikeSql(text())],
  ['csv', ({ bytes }) => looksLikeCsv(bytes)],
  ['toml', ({ text }) => text().length <= parsedLengthMax && looksLikeToml(text())],
  ['yaml', ({ text }) => text().length <= parsedLengthMax && looksLikeYaml(text())],
  ['markdown', ({ text }) => looksLikeMarkdown(text())],
]

/**
 * Detects what a text is: from the name of its member, then the tool's name, then its content. A name that
 * the text contradicts is ignored.
 */
export async function detectKind(part: PartText, name: string, tool: string): Promise<KindContent> {
  const named = [kindOfName(name), kindOfRole(name, kindsOfTool(tool)), languageOf(name, tool)]
  for (const kind of new Set(named)) {
    const found = kind === null ? null : await readKind(kind, part)
    if (found !== null) return found
  }
  for (const [kind, test] of tests) {
    const found = test(part) ? await readKind(kind, part) : null
    // Lines with other values than objects and arrays may be anything.
    if (found !== null && (kind !== 'ndjson' || found.table !== null)) return found
  }
  return plainText
}
