import { likeMysql, likePostgres, type QuoteRules, type SqlLanguage } from './sql-language.js'

/** What a token of SQL is, as far as white space depends on it. */
export type TokenKind =
  | 'comment'
  | 'word'
  | 'number'
  | 'string'
  | 'name'
  | 'operator'
  /** One of `( ) , ;` or another bracket. */
  | 'mark'
  /** What a driver, a client or a server's hint reads: a parameter, a hint, a comment that is code. */
  | 'parameter'
  /** What a template engine replaces, with what it is glued to. */
  | 'tag'

/** A token of SQL. */
export interface SqlToken {
  readonly kind: TokenKind
  readonly text: string
  readonly index: number
}

const space = /\s+/y
const word = /[\p{L}\p{M}\p{N}_$]+/uy
const number = /\d\w*(?:\.(?!\.)\w*)?(?:(?<=[eE])[+-]\d+)?|\.\d\w*(?:(?<=[eE])[+-]\d+)?/y
/** Bounded, so that each character of a long run is looked at a few times. */
const operators = /[-+*/<>=~!@#%^&|?:]{1,64}/y
const operator = /[-+*/<>=~!@#%^&|?:]/
/** Dialects with operators of question marks. */
const hasQuestionMarks: ReadonlySet<string> = new Set(['postgresql', 'clickhouse'])
const questionMark = /\?\d*/y
const dots = /\.+/y
/** An operator may not end with a sign in Postgres unless it has one of these. */
const keepsSign = /[~!@#%^&|?`]/
/** What templates replace, besides their tags. Lengths are bounded, so that each character is looked at a few times. */
const substitution =
  /\$\{[^}\n]{0,200}\}|\$\([^)\n]{0,200}\)|\$\[[^\]\n]{0,200}\]|#\{[^}\n]{0,200}\}|\{\w{0,200}\}/y
const ampersand = /&{1,2}\w+\.?/y
const driverParameter =
  /(?<![:\w\])"'`]):(?:\w+|'\w{1,200}'|"\w{1,200}"|\{\?\w{1,200}\})|(?<![\w\])"'`])%(?:\(\w{1,200}\)[sbt]|[sbt](?!\w)|%)|(?<![\w@])@{1,2}[\w.$]+|\$\d+|\$[A-Za-z_]\w*/y
const glue = /(?:[\p{L}\p{M}\p{N}_.]|\$(?![({[])){1,300}/uy
const tagEnds: ReadonlyMap<string, string> = new Map([
  ['{{', '}}'],
  ['{%', '%}'],
  ['{#', '#}'],
])

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** Reads tokens of a text, from wherever it is asked to. */
export class SqlLexer {
  readonly text: string
  private readonly language: SqlLanguage
  private readonly prefixLengthMax: number
  /** What ends statements, if a client's command has changed it. */
  delimiter = ';'
  /** Tags and quotes that are known not to end, so that each is looked for once. */
  private readonly unended = new Set<string>()

  constructor(text: string, language: SqlLanguage) {
    this.text = text
    this.language = language
    this.prefixLengthMax = Math.max(...[...language.quotes.keys()].map(({ length }) => length))
  }

  /** The end of white space. */
  afterSpace(at: number): number {
    return matchEnd(space, this.text, at)
  }

  /** The token that begins at `at`, where no white space is. */
  tokenAt(at: number): SqlToken {
    const { text, delimiter } = this
    const [kind, end] = this.read(at)
    const token = { kind, text: text.slice(at, end), index: at }
    if (delimiter === ';' || kind === 'comment' || kind === 'string' || kind === 'name') return token
    if (text.startsWith(delimiter, at)) return { kind: 'mark', text: delimiter, index: at }
    const cut = token.text.indexOf(delimiter)
    return cut < 0 ? token : { ...token, text: token.text.slice(0, cut) }
  }

  private read(at: number): readonly [TokenKind, number] {
    const comment = this.commentEnd(at)
    if (comment > at) return [this.isCode(at) ? 'parameter' : 'comment', comment]
    const tag = this.gluedTagEnd(at)
    if (tag > at) return ['tag', tag]
    const quoted = this.quotedEnd(at)
    if (quoted !== null) return quoted
    const parameter = this.parameterEnd(at)
    if (parameter > at) return ['parameter', parameter]
    for (const [kind, pattern] of [
      ['number', number],
      ['word', word],
    ] as const) {
      const end = matchEnd(pattern, this.text, at)
      if (end > at) return [kind, end]
    }
    const end = this.operatorEnd(at)
    if (end > at) return ['operator', end]
    return ['mark', at + ((this.text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)]
  }

  /** Comments that servers read: hints, and what only MySQL runs. */
  private isCode(at: number): boolean {
    const { text } = this
    return text.startsWith('/*+', at) || text.startsWith('/*!', at) || text.startsWith('/*M!', at)
  }

  private commentEnd(at: number): number {
    const { text } = this
    const { lineComments, hasNestedComments } = this.language
    if (lineComments.some((mark) => text.startsWith(mark, at))) {
      const end = text.indexOf('\n', at)
      return end < 0 ? text.length : text[end - 1] === '\r' ? end - 1 : end
    }
    if (!text.startsWith('/*', at)) return at
    let depth = 0
    const ends = /\/\*|\*\//g
    ends.lastIndex = at
    for (let found = ends.exec(text); found !== null; found = ends.exec(text)) {
      if (found[0] === '*/') depth -= 1
      else if (depth === 0 || hasNestedComments) depth += 1
      if (depth === 0) return found.index + 2
    }
    return text.length
  }

  /** The end of a tag of Jinja that begins at `at`; `at` if there is none. */
  private tagEnd(at: number): number {
    const open = this.text.slice(at, at + 2)
    const close = tagEnds.get(open)
    if (close === undefined || this.unended.has(open)) return at
    const end = this.text.indexOf(close, at + 2)
    if (end >= 0) return end + 2
    this.unended.add(open)
    return at
  }

  private substitutionEnd(at: number): number {
    const { text, language } = this
    const end = this.tagEnd(at)
    if (end > at) return end
    const usesAmpersand = language.dialect === 'plsql' || language.dialect === 'snowflake'
    if (usesAmpersand && text[at] === '&') return matchEnd(ampersand, text, at)
    return matchEnd(substitution, text, at)
  }

  /** The end of a run of words and tags of which at least one is a tag, so that it cannot be torn apart. */
  private gluedTagEnd(start: number): number {
    let [at, hasTag] = [matchEnd(glue, this.text, start), false]
    for (let end = this.substitutionEnd(at); end > at; end = this.substitutionEnd(at)) {
      hasTag = true
      at = matchEnd(glue, this.text, end)
    }
    return hasTag ? at : start
  }

  private parameterEnd(at: number): number {
    const { text, language } = this
    const { dialect } = language
    if (text[at] === '?') return hasQuestionMarks.has(dialect) ? at : matchEnd(questionMark, text, at)
    const isOperator = likePostgres.has(dialect) && text[at] === '@' && operator.test(text[at - 1] ?? '')
    return isOperator ? at : matchEnd(driverParameter, text, at)
  }

  private operatorEnd(start: number): number {
    const { text, language } = this
    const most = matchEnd(operators, text, start)
    if (most === start) return matchEnd(dots, text, start)
    let end = start + 1
    while (
      end < most &&
      this.commentEnd(end) === end &&
      this.parameterEnd(end) === end &&
      this.substitutionEnd(end) === end
    )
      end += 1
    const hasSign = likePostgres.has(language.dialect) && keepsSign.test(text.slice(start, end))
    while (end > start + 1 && !hasSign && /[-+]/.test(text[end - 1] ?? '')) end -= 1
    return end
  }

  /** The kind and end of a string or quoted name that begins at `at`, prefix included; `null` if there is none. */
  private quotedEnd(at: number): readonly [TokenKind, number] | null {
    const { text, language } = this
    if (language.hasDollarQuotes && text[at] === '$') {
      const tag = /^\$(?:[\p{L}_][\p{L}\p{N}_]{0,62})?\$/u.exec(text.slice(at, at + 130))?.[0]
      if (tag !== undefined) return ['string', this.after(tag, at + tag.length)]
    }
    if (language.hasQQuotes) {
      const open = /^n?q'(\S)/i.exec(text.slice(at, at + 4))
      const mark = open?.[1]
      if (open !== null && mark !== undefined) {
        const closes: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' }
        return ['string', this.after(`${closes[mark] ?? mark}'`, at + open[0].length)]
      }
    }
    for (let length = this.prefixLengthMax; length > 0; length -= 1) {
      const rules = language.quotes.get(text.slice(at, at + length).toLowerCase())
      if (rules === undefined) continue
      const open = text.slice(at, at + length)
      const end = this.unended.has(open) ? null : this.closed(rules, at + length)
      if (end === null) this.unended.add(open)
      return end === null ? null : [rules.isString ? 'string' : 'name', end]
    }
    return null
  }

  private after(close: string, from: number): number {
    const at = this.text.indexOf(close, from)
    return at < 0 ? this.text.length : at + close.length
  }

  /** Where a quoted text ends whose content begins at `from`; tags in it may contain quotes. */
  private closed({ close, isDoubled, hasEscapes }: QuoteRules, from: number): number | null {
    const { text } = this
    const stop = new RegExp(`[{${hasEscapes ? '\\\\' : ''}\\${close.charAt(0)}]`, 'g')
    for (let at = from; ; ) {
      stop.lastIndex = at
      const found = stop.exec(text)
      if (found === null) return null
      at = found.index
      if (found[0] === '\\') at += 2
      else if (found[0] === '{') at = Math.max(at + 1, this.tagEnd(at))
      else if (!text.startsWith(close, at)) at += 1
      else if (isDoubled && text.startsWith(close, at + close.length)) at += 2 * close.length
      else return at + close.length
    }
  }
}

/** The tokens of a text, in order. */
export function* tokensOf(text: string, language: SqlLanguage): Generator<SqlToken> {
  const lexer = new SqlLexer(text, language)
  for (let at = lexer.afterSpace(0); at < text.length; ) {
    const token = lexer.tokenAt(at)
    yield token
    at = lexer.afterSpace(at + token.text.length)
  }
}

/** Whether white space between this word and a parenthesis decides whether it is a function: MySQL's built-in ones. */
export function isBoundToParenthesis(text: string, { dialect }: SqlLanguage): boolean {
  return likeMysql.has(dialect) && mysqlFunctions.has(text.toLowerCase())
}

const mysqlFunctions: ReadonlySet<string> = new Set(
  'adddate bit_and bit_or bit_xor cast count curdate curtime date_add date_sub extract group_concat max mid min now position session_user std stddev stddev_pop stddev_samp subdate substr substring sum sysdate system_user trim variance var_pop var_samp json_arrayagg json_objectagg'.split(
    ' ',
  ),
)
