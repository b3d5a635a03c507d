import * as library from 'sql-formatter'
import type { OnToolNote } from '../tool.js'
import { positionInText, ToolInputError } from '../tool-input-error.js'
import { boundedText, textChunks } from '../whole-input.js'
import { beginsBlock, delimiterSet } from './client-commands.js'
import { firstChange, nestingOf } from './first-change.js'
import { coverKept, keepLinesOfTags } from './kept-tokens.js'
import { type ScriptPart, scriptParts } from './script-parts.js'
import { languageOf, type SqlDialect, type SqlLanguage } from './sql-language.js'
import { type SqlToken, tokensOf } from './sql-tokens.js'

const { formatDialect, ...libraryDialects } = library

/** The library reads some ten thousand tokens a second. */
const bytesMax = 524_288
/** The library's time grows with the square of the depth. */
const depthMax = 200
/** Of white space before lines: the library makes its output in one piece. */
const indentBytesMax = 8 * bytesMax

interface SqlOptions {
  readonly dialect: SqlDialect
  readonly indent: string
  readonly keyword_case: 'preserve' | 'upper' | 'lower'
}

function tooDeep(): ToolInputError {
  return new ToolInputError('sql_too_deep', 'The statements are nested too deep.')
}

/** Where the library found a mistake, and what it has to say; `null` if it does not say where. */
function mistakeIn(sql: string, error: unknown): { readonly at: number; readonly message: string } | null {
  if (!(error instanceof Error)) return null
  const token: unknown = Reflect.get(error, 'token')
  if (typeof token === 'object' && token !== null && 'start' in token && typeof token.start === 'number') {
    const [type, text] = [Reflect.get(token, 'type'), String(Reflect.get(token, 'raw'))]
    if (type !== 'EOF')
      return {
        at: token.start,
        message: `Unexpected ${shortened(sql.slice(token.start, token.start + text.length))}.`,
      }
    return {
      at: sql.trimEnd().length,
      message: 'The SQL ends before it is complete; a parenthesis or a case may not be closed.',
    }
  }
  const [, found, line, column] =
    /Unexpected "([\s\S]*?)" at line (\d+) column (\d+)/.exec(error.message) ?? []
  if (found === undefined) return null
  let lineStart = 0
  for (let at = 1; at < Number(line); at += 1) lineStart = sql.indexOf('\n', lineStart) + 1
  const at = lineStart + Number(column) - 1
  return {
    at,
    message: `Unexpected ${shortened(sql.slice(at, at + found.length))}; another dialect may know it.`,
  }
}

function shortened(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > 40 ? `${line.slice(0, 40)}…` : line
}

/** Why a text cannot be formatted: where, and whether it may be right nevertheless. */
interface Obstacle {
  readonly at: number
  readonly message: string
  readonly isMistake: boolean
}

/** Formats the statements of one script. */
class SqlFormatter {
  private readonly text: string
  private readonly options: SqlOptions
  private readonly onNote: OnToolNote
  private readonly language: SqlLanguage
  private indentBytesLeft = indentBytesMax

  constructor(text: string, options: SqlOptions, onNote: OnToolNote) {
    this.text = text
    this.options = options
    this.onNote = onNote
    this.language = languageOf(options.dialect, libraryDialects[options.dialect])
  }

  script(): string {
    const parts = scriptParts(this.text, this.language)
    const isTemplate = parts.some(({ isSql, text }) => !isSql && isTagLine(text))
    const made: string[] = []
    let delimiter = ';'
    for (const part of parts) {
      const written = part.isSql ? this.part(part, delimiter, isTemplate) : part.text
      if (!part.isSql) delimiter = delimiterSet(part.text.trim()) ?? delimiter
      if (made.length > 0) made.push(part.gap)
      made.push(written)
    }
    return made.length === 0 || made.join('') === '' ? '' : `${made.join('')}\n`
  }

  private part({ text, start }: ScriptPart, delimiter: string, isInTemplate: boolean): string {
    const tokens = [...tokensOf(text, this.language)]
    this.checkNesting(tokens)
    const made = this.attempt(text, tokens, delimiter)
    if (typeof made === 'string') return made
    const isTemplate = isInTemplate || tokens.some(({ kind }) => kind === 'tag')
    if (made.isMistake && !isTemplate)
      throw new ToolInputError('sql_invalid', made.message, positionInText(this.text, start + made.at))
    const first = tokens.find(({ kind }) => kind !== 'comment')
    const isWhole = delimiter !== ';' || beginsBlock(text, first?.index ?? 0, this.options.dialect)
    const statements = isWhole ? [{ text, start: 0 }] : statementsOf(text, tokens)
    return statements
      .map((statement) => this.statement(statement.text, start + statement.start, delimiter))
      .join('\n\n')
  }

  /** @throws ToolInputError before the library takes much time, or makes much more of a text than it is. */
  private checkNesting(tokens: readonly SqlToken[]): void {
    const { depth, indents } = nestingOf(tokens)
    if (depth > depthMax) throw tooDeep()
    this.indentBytesLeft -= indents * (this.options.indent === 'tab' ? 1 : Number(this.options.indent))
    if (this.indentBytesLeft < 0)
      throw new ToolInputError('input_too_large', 'With its indentation the text would be too large.')
  }

  /** A statement of several of which not all can be formatted: it stays as it is if it is one of those. */
  private statement(text: string, start: number, delimiter: string): string {
    const made = this.attempt(text, [...tokensOf(text, this.language)], delimiter)
    if (typeof made === 'string') return made
    const message = `A statement is left as it is: ${made.message}`
    this.onNote({ message, position: positionInText(this.text, start + made.at) })
    return text.trim()
  }

  /** The formatted text, or what keeps it from being formatted. */
  private attempt(text: string, tokens: readonly SqlToken[], delimiter: string): string | Obstacle {
    const { indent, keyword_case, dialect } = this.options
    const covered = coverKept(text, tokens)
    let made: string | null
    try {
      made = covered.restore(
        formatDialect(covered.text, {
          dialect: libraryDialects[dialect],
          tabWidth: indent === 'tab' ? 2 : Number(indent),
          useTabs: indent === 'tab',
          keywordCase: keyword_case,
        }),
      )
    } catch (error) {
      if (error instanceof RangeError) throw tooDeep()
      const mistake = mistakeIn(text, error)
      return { isMistake: true, ...(mistake ?? { at: 0, message: 'The text is not SQL of this dialect.' }) }
    }
    const change = made === null ? 0 : firstChange(text, made, this.language, keyword_case !== 'preserve')
    if (made === null || change !== null) return changed(change ?? 0)
    const kept = keepLinesOfTags(text, tokens, made, this.language)
    // What was part of a line may be a command of a client on a line of its own.
    const isCommand = ({ isSql, text: line }: ScriptPart): boolean => !isSql && !isTagLine(line)
    return scriptParts(kept, this.language, delimiter).some(isCommand) ? changed(0) : kept
  }
}

function isTagLine(line: string): boolean {
  return line.trimStart().startsWith('{')
}

function changed(at: number): Obstacle {
  return {
    at,
    message: 'formatting would change more than white space here; another dialect may know this.',
    isMistake: false,
  }
}

/** The statements of a text that end with semicolons. */
function statementsOf(
  text: string,
  tokens: readonly SqlToken[],
): readonly Pick<ScriptPart, 'text' | 'start'>[] {
  const ends = tokens
    .filter((token) => token.text === ';' && token.kind === 'mark')
    .map(({ index }) => index + 1)
  return [0, ...ends]
    .map((start, at) => ({ text: text.slice(start, ends[at]), start }))
    .filter((statement) => statement.text.trim() !== '')
}

/**
 * Formats SQL: whatever the library makes of it, only white space that means nothing and the case of keywords may change.
 * What clients and template engines read stays; a statement that cannot be formatted so stays, too, with a note.
 */
export async function* formatSql(
  input: AsyncIterable<Uint8Array>,
  options: SqlOptions,
  onNote: OnToolNote,
): AsyncGenerator<Uint8Array> {
  const text = await boundedText(input, bytesMax)
  yield* textChunks(new SqlFormatter(text, options, onNote).script())
}
