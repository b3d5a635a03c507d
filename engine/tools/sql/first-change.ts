import type { SqlLanguage } from './sql-language.js'
import { isBoundToParenthesis, type SqlToken, tokensOf } from './sql-tokens.js'

/** Whether a token is read as a word, so that another one beside it would become part of it. */
const wordLike: ReadonlySet<string> = new Set(['word', 'number', 'string', 'name', 'parameter', 'tag'])

/** Whether white space between these two decides what they are. */
function isBound(before: SqlToken, after: SqlToken, language: SqlLanguage): boolean {
  if (before.kind === 'comment' || after.kind === 'comment') return false
  if (before.kind === 'word' && after.text === '(') return isBoundToParenthesis(before.text, language)
  if (before.kind === 'mark' || after.kind === 'mark') return before.text === '\\'
  if (before.kind === 'operator') {
    if (/^\.+$/.test(before.text)) return after.kind === 'number' || after.kind === 'tag'
    return wordLike.has(after.kind) && /(?:^|[^:]):$|[@#$&]$/.test(before.text)
  }
  if (after.kind === 'operator')
    return after.text.startsWith('.') && before.kind !== 'word' && before.kind !== 'name'
  // `select'x'` may become `select 'x'`, but N'…' is a literal of its own.
  if (before.kind === 'word' && after.kind === 'string') return before.text.length <= 2
  return !(before.kind === 'string' && after.kind === 'word')
}

function lineBetween(text: string, before: SqlToken, after: SqlToken): boolean {
  return text.slice(before.index + before.text.length, after.index).includes('\n')
}

function isSameText(one: SqlToken, other: SqlToken, ignoresCase: boolean): boolean {
  if (one.kind !== other.kind) return false
  if (one.text === other.text) return true
  if (one.kind === 'comment')
    return one.text.replace(/\s+/g, ' ').trim() === other.text.replace(/\s+/g, ' ').trim()
  return ignoresCase && one.kind === 'word' && one.text.toLowerCase() === other.text.toLowerCase()
}

/**
 * Where a text begins to differ from what a formatter made of it in more than white space that means nothing; `null` if
 * it nowhere does.
 * @param ignoresCase of words outside strings, quoted names and comments.
 */
export function firstChange(
  text: string,
  formatted: string,
  language: SqlLanguage,
  ignoresCase: boolean,
): number | null {
  const made = tokensOf(formatted, language)
  let last: readonly [SqlToken, SqlToken] | null = null
  /** The last token that is no comment, and whether a line has ended since. */
  let literal: readonly [SqlToken, SqlToken] | null = null
  for (const token of tokensOf(text, language)) {
    const other: SqlToken | undefined = made.next().value ?? undefined
    if (other === undefined || !isSameText(token, other, ignoresCase)) return token.index
    if (last !== null) {
      const [before, otherBefore] = last
      const isApart = before.index + before.text.length < token.index
      const isOtherApart = otherBefore.index + otherBefore.text.length < other.index
      if (isApart !== isOtherApart && isBound(before, token, language)) return token.index
    }
    if (token.kind === 'string' && literal?.[0].kind === 'string') {
      // A line that ends between two literals joins them.
      if (lineBetween(text, literal[0], token) !== lineBetween(formatted, literal[1], other))
        return token.index
    }
    last = [token, other]
    if (token.kind !== 'comment') literal = last
  }
  return made.next().done === true ? null : text.length
}

/** What of a text decides how large it becomes, outside of strings, quoted names and comments. */
export interface SqlNesting {
  /** How deep its parentheses are. */
  readonly depth: number
  /**
   * About the most indents of all lines together: each word, each comma and each line of a comment may begin one, which has one for each open
   * case, and two for each open bracket, since a clause within it is indented itself.
   */
  readonly indents: number
}

const mayBeginLine: ReadonlySet<string> = new Set(['word', 'number', 'parameter', 'tag'])

/** Measures a text before it is formatted. */
export function nestingOf(tokens: Iterable<SqlToken>): SqlNesting {
  let [depth, most, brackets, cases, indents] = [0, 0, 0, 0, 0]
  for (const { kind, text } of tokens) {
    if (kind === 'word' && /^case$/i.test(text)) cases += 1
    else if (kind === 'word' && /^end$/i.test(text)) cases = Math.max(0, cases - 1)
    if (kind === 'comment')
      indents += (1 + (text.match(/\n/g)?.length ?? 0)) * (2 * (depth + brackets) + cases)
    else if (text === '(') most = Math.max(most, ++depth)
    else if (text === ')') depth = Math.max(0, depth - 1)
    else if (text === '[' || text === '{') brackets += 1
    else if (text === ']' || text === '}') brackets = Math.max(0, brackets - 1)
    else if (text === ',' || mayBeginLine.has(kind)) indents += 2 * (depth + brackets) + cases
  }
  return { depth: most, indents }
}
