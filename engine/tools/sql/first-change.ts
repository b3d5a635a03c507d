/** White space between these would make two tokens of one, or one of two. */
const operators: ReadonlySet<string> = new Set(
  '<= >= <> != == || && -> => :: := @> <@ #> #- ?| ?& !~ ~* ~~ << >> ** .. -- /* */ |/ += -= *= /= %= ^= @@ {% %}'.split(
    ' ',
  ),
)

/** Dialects in which a backslash keeps a quote from ending a string. */
const escapesByBackslash: ReadonlySet<string> = new Set([
  'bigquery',
  'clickhouse',
  'hive',
  'mariadb',
  'mysql',
  'n1ql',
  'singlestoredb',
  'snowflake',
  'spark',
  'sql',
  'tidb',
])

/** Dialects that have strings such as $$…$$ and $tag$…$tag$. */
const quotesByDollars: ReadonlySet<string> = new Set(['duckdb', 'postgresql', 'redshift', 'snowflake'])

interface Piece {
  readonly text: string
  readonly index: number
  readonly isApart: boolean
}

/** Where a quoted text ends that begins at `start`, or null. A doubled quote makes two such texts, side by side. */
function quoteEnd(text: string, start: number, hasEscapes: boolean): number | null {
  const quote = text[start] as string
  let from = start + 1
  for (;;) {
    const end = text.indexOf(quote, from)
    if (end < 0) return null
    let backslashes = 0
    while (hasEscapes && text[end - 1 - backslashes] === '\\' && end - backslashes > start + 1)
      backslashes += 1
    if (backslashes % 2 === 0) return end + 1
    from = end + 1
  }
}

/** Where the string, quoted name, comment or single character ends that begins at `start`. */
function pieceEnd(text: string, start: number, dialect: string): number {
  const after = (close: string, from: number): number => {
    const at = text.indexOf(close, from)
    return at < 0 ? text.length : at + close.length
  }
  const first = text[start] as string
  if (first === "'" || first === '"' || first === '`') {
    const hasEscapes = first !== '`' && escapesByBackslash.has(dialect)
    return quoteEnd(text, start, hasEscapes) ?? start + 1
  }
  if (first === '-' && text[start + 1] === '-') {
    const end = text.indexOf('\n', start)
    return end < 0 ? text.length : end
  }
  if (first === '/' && text[start + 1] === '*') return after('*/', start + 2)
  if (first === '$' && quotesByDollars.has(dialect)) {
    const tag = /^\$(?:[A-Za-z_]\w{0,62})?\$/.exec(text.slice(start, start + 65))?.[0]
    if (tag !== undefined) return after(tag, start + tag.length)
  }
  return start + 1
}

/** Strings, quoted names and comments, each whole, and single characters; white space is left out. */
export function* piecesOf(text: string, dialect: string): Generator<Piece> {
  const isSpace = /\s/
  let end = 0
  for (let at = 0; at < text.length; ) {
    if (isSpace.test(text[at] as string)) {
      at += 1
      continue
    }
    const next = pieceEnd(text, at, dialect)
    const found = text.slice(at, next)
    const isComment = next > at + 1 && (found.startsWith('--') || found.startsWith('/*'))
    // Comments move with what contains them.
    yield { text: isComment ? found.replace(/\s+/g, ' ').trim() : found, index: at, isApart: at > end }
    at = next
    end = next
  }
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}_$]/u.test(character)
}

/** What of a text decides how large it becomes, outside of strings, quoted names and comments. */
export interface SqlNesting {
  /** How deep its parentheses are. */
  readonly depth: number
  /**
   * About the most indents of all lines together: each word and each comma may begin a line, which has one for each open
   * case, and two for each open bracket, since a clause within it is indented itself.
   */
  readonly indents: number
}

/** Measures a text before it is formatted. */
export function nestingOf(text: string, dialect: string): SqlNesting {
  let [depth, most, brackets, cases, indents] = [0, 0, 0, 0, 0]
  let word = ''
  for (const { text: piece, isApart } of piecesOf(text, dialect)) {
    const isLetter = piece.length === 1 && isWord(piece)
    if (isLetter && !isApart && word !== '') {
      word += piece
      continue
    }
    if (/^case$/i.test(word)) cases += 1
    else if (/^end$/i.test(word)) cases = Math.max(0, cases - 1)
    word = isLetter ? piece : ''
    if (piece === '(') most = Math.max(most, ++depth)
    else if (piece === ')') depth = Math.max(0, depth - 1)
    else if (piece === '[' || piece === '{') brackets += 1
    else if (piece === ']' || piece === '}') brackets = Math.max(0, brackets - 1)
    else if (isLetter || piece === ',') indents += 2 * (depth + brackets) + cases
  }
  return { depth: most, indents }
}

/** Whether white space between these two matters. */
function isBound(before: string, after: string, lettersBefore: number): boolean {
  const last = before.at(-1) ?? ''
  const first = after[0] ?? ''
  if (operators.has(last + first)) return true
  // Literals such as N'…' and x'…'.
  if (lettersBefore === 1 && first === "'") return true
  if (isWord(last)) return isWord(first) || (/\d/.test(last) && first === '.')
  return last === '.' && /\d/.test(first)
}

/**
 * Where a text begins to differ from what a formatter made of it in more than white space between tokens; `null` if it
 * nowhere does.
 * @param ignoresCase outside strings, quoted names and comments.
 */
export function firstChange(
  text: string,
  formatted: string,
  dialect: string,
  ignoresCase: boolean,
): number | null {
  const made = piecesOf(formatted, dialect)
  let last = ''
  let letters = 0
  for (const piece of piecesOf(text, dialect)) {
    const other = made.next().value as Piece | undefined
    const isSame =
      piece.text === other?.text ||
      (ignoresCase && piece.text.length === 1 && piece.text.toLowerCase() === other?.text.toLowerCase())
    if (!isSame || (piece.isApart !== other?.isApart && isBound(last, piece.text, letters)))
      return piece.index
    last = piece.text
    letters = isWord(last) ? (piece.isApart ? 1 : letters + 1) : 0
  }
  return made.next().done === true ? null : text.length
}
