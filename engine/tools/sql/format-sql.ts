import {
  bigquery,
  clickhouse,
  db2,
  db2i,
  duckdb,
  formatDialect,
  hive,
  mariadb,
  mysql,
  n1ql,
  plsql,
  postgresql,
  redshift,
  singlestoredb,
  snowflake,
  spark,
  sql,
  sqlite,
  tidb,
  transactsql,
  trino,
} from 'sql-formatter'
import { boundedText } from '../bounded-text.js'
import { OutputBuffer } from '../output-buffer.js'
import { positionInText } from '../text-position.js'
import { ToolInputError } from '../tool.js'
import { firstChange, nestingOf } from './first-change.js'
import { type ScriptPart, scriptParts } from './psql-commands.js'

/** The library reads some ten thousand tokens a second. */
const bytesMax = 524_288
/** The library's time grows with the square of the depth. */
const depthMax = 200
/** Of white space before lines: the library makes its output in one piece. */
const indentBytesMax = 8 * bytesMax

const dialects = {
  bigquery,
  clickhouse,
  db2,
  db2i,
  duckdb,
  hive,
  mariadb,
  mysql,
  n1ql,
  plsql,
  postgresql,
  redshift,
  singlestoredb,
  snowflake,
  spark,
  sql,
  sqlite,
  tidb,
  transactsql,
  trino,
} as const

interface SqlOptions {
  readonly dialect: keyof typeof dialects
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
    if (type !== 'EOF') return { at: token.start, message: `Unexpected ${shortened(text)}.` }
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
  return {
    at: lineStart + Number(column) - 1,
    message: `Unexpected ${shortened(found)}; another dialect may know it.`,
  }
}

function shortened(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > 40 ? `${line.slice(0, 40)}…` : line
}

/** @throws ToolInputError before the library takes much time, or makes much more of a text than it is. */
function checkNesting(parts: readonly ScriptPart[], { dialect, indent }: SqlOptions): void {
  const width = indent === 'tab' ? 1 : Number(indent)
  let left = indentBytesMax
  for (const { text, isCommand } of parts) {
    if (isCommand) continue
    const { depth, indents } = nestingOf(text, dialect)
    if (depth > depthMax) throw tooDeep()
    left -= indents * width
    if (left < 0)
      throw new ToolInputError('input_too_large', 'With its indentation the text would be too large.')
  }
}

/** Formats a part of a text, and checks that only white space and the case of keywords changed. */
function formatted(text: string, { text: part, start }: ScriptPart, options: SqlOptions): string {
  const { dialect, indent, keyword_case } = options
  let made: string
  try {
    made = formatDialect(part, {
      dialect: dialects[dialect],
      tabWidth: indent === 'tab' ? 2 : Number(indent),
      useTabs: indent === 'tab',
      keywordCase: keyword_case,
    })
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep()
    const mistake = mistakeIn(part, error)
    if (mistake === null) throw new ToolInputError('sql_invalid', 'The text is not SQL of this dialect.')
    throw new ToolInputError('sql_invalid', mistake.message, positionInText(text, start + mistake.at))
  }
  const change = firstChange(part, made, dialect, keyword_case !== 'preserve')
  if (change === null) return made
  throw new ToolInputError(
    'sql_not_kept',
    'Formatting would change more than white space here; another dialect may know this.',
    positionInText(text, start + change),
  )
}

/** Formats SQL; whatever the library makes of it, only white space and the case of keywords may change. */
export async function* formatSql(
  input: AsyncIterable<Uint8Array>,
  options: SqlOptions,
): AsyncGenerator<Uint8Array> {
  const text = await boundedText(input, bytesMax)
  const parts = [...scriptParts(text, options.dialect)]
  checkNesting(parts, options)
  const made = parts.map((part) => (part.isCommand ? part.text : formatted(text, part, options)))
  const out = new OutputBuffer()
  for (const written of made) {
    if (written !== '') out.putText(`${written}\n`)
    yield* out.takeFull()
  }
  yield* out.takeAll()
}
