import type { Parser, Tree } from '@lezer/common'
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight'
import type { Language } from '../document/kinds/kind.js'
import { colouredMax, type LineColours, type Token, type TokenKind } from './line-colours.js'

/** The grammar of a language, loaded when a text needs it. */
const parsers: Readonly<Record<Language, () => Promise<Parser>>> = {
  javascript: async () => (await import('@lezer/javascript')).parser.configure({ dialect: 'jsx' }),
  typescript: async () => (await import('@lezer/javascript')).parser.configure({ dialect: 'ts jsx' }),
  python: async () => (await import('@lezer/python')).parser,
  java: async () => (await import('@lezer/java')).parser,
  go: async () => (await import('@lezer/go')).parser,
  rust: async () => (await import('@lezer/rust')).parser,
  cpp: async () => (await import('@lezer/cpp')).parser,
  php: async () => (await import('@lezer/php')).parser,
  css: async () => (await import('@lezer/css')).parser,
}

const kindOf = (kind: TokenKind, ...of: Parameters<typeof tagHighlighter>[0][number]['tag'][]) =>
  of.map((tag) => ({ tag, class: kind }))

const { function: functionOf, definition } = tags
const highlighter = tagHighlighter([
  ...kindOf('comment', tags.comment, tags.meta),
  ...kindOf('string', tags.string, tags.regexp, tags.character, tags.attributeValue),
  ...kindOf('number', tags.number, tags.color, tags.unit),
  ...kindOf('keyword', tags.keyword, tags.bool, tags.null, tags.atom, tags.self, tags.tagName),
  ...kindOf('key', tags.typeName, tags.className, tags.attributeName, definition(tags.className)),
  ...kindOf(
    'key',
    definition(tags.typeName),
    functionOf(definition(tags.variableName)),
    functionOf(definition(tags.propertyName)),
  ),
])

const parseMsMax = 300

/** Parses until it is late: text that is not of the language makes a parser go in circles. */
function parse(parser: Parser, source: string, isLate: () => boolean): Tree {
  const running = parser.startParse(source)
  for (;;) {
    const tree = running.advance()
    if (tree !== null) return tree
    if (running.stoppedAt === null && isLate()) running.stopAt(running.parsedPos)
  }
}

/** Where each line begins, by the line breaks of the viewer. */
function startsOf(source: string): readonly number[] {
  return [
    0,
    ...[...source.matchAll(/\r\n|[\n\r\u2028\u2029]/g)].map(({ 0: found, index }) => index + found.length),
  ]
}

/**
 * A tokeniser for the lines of this source, parsed as a whole: comments and strings of several lines have one colour.
 * Parts that are not of the language are coloured as far as its parser recovers.
 * @param isLate asked again and again; once it is true, the rest stays plain.
 */
export async function codeColours(
  language: Language,
  source: string,
  isLate: () => boolean,
): Promise<LineColours> {
  const parser = await parsers[language]()
  const starts = startsOf(source)
  const byLine = new Map<number, Token[]>()
  let line = 0
  const take = (from: number, to: number, kind: string): void => {
    while (line + 1 < starts.length && (starts[line + 1] ?? 0) <= from) line += 1
    for (let at = line; at < starts.length && (starts[at] ?? 0) < to; at += 1) {
      const start = starts[at] ?? 0
      const token = { kind: kind as TokenKind, from: Math.max(0, from - start), to: to - start }
      const tokens = byLine.get(at)
      if (tokens === undefined) byLine.set(at, [token])
      else tokens.push(token)
    }
  }
  try {
    highlightTree(parse(parser, source, isLate), highlighter, take)
  } catch (error) {
    // What is nested deeper than the stack keeps the colours found so far.
    if (!(error instanceof RangeError)) throw error
  }
  return (shown, number) => {
    const length = Math.min(shown.length, colouredMax)
    const tokens = byLine.get(number) ?? []
    const after = tokens.findIndex(({ from }) => from >= length)
    const coloured = after < 0 ? tokens : tokens.slice(0, after)
    return coloured.map((token) => ({ ...token, to: Math.min(token.to, length) }))
  }
}

/** The colours of a source, as far as they are found in a time that nobody notices. */
export function coloursOf(language: Language, source: string): Promise<LineColours> {
  const until = performance.now() + parseMsMax
  return codeColours(language, source, () => performance.now() > until)
}
