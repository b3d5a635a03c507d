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
import { positionInText } from '../text-position.js'
import { ToolInputError } from '../tool.js'
import { textChunks } from '../whole-input.js'
import { firstChange, parenthesesDepth } from './first-change.js'

/** The library reads some ten thousand tokens a second. */
const bytesMax = 524_288
/** The library's time grows with the square of the depth. */
const depthMax = 200

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

/** The library's error, with the position that only its text contains. */
function parseProblem(text: string, error: unknown): ToolInputError {
  if (error instanceof RangeError) return tooDeep()
  const [, found = '', line = '', column = ''] =
    /Unexpected "([\s\S]*?)" at line (\d+) column (\d+)/.exec(String(error)) ?? []
  if (line === '') return new ToolInputError('sql_invalid', 'The text is not SQL of this dialect.')
  let lineStart = 0
  for (let at = 1; at < Number(line); at += 1) lineStart = text.indexOf('\n', lineStart) + 1
  const seen = found.split('\n', 1)[0] ?? ''
  const message = `Unexpected ${seen.length > 40 ? `${seen.slice(0, 40)}…` : seen}; another dialect may know it.`
  return new ToolInputError('sql_invalid', message, positionInText(text, lineStart + Number(column) - 1))
}

function formatted(text: string, { dialect, indent, keyword_case }: SqlOptions): string {
  try {
    return formatDialect(text, {
      dialect: dialects[dialect],
      tabWidth: indent === 'tab' ? 2 : Number(indent),
      useTabs: indent === 'tab',
      keywordCase: keyword_case,
    })
  } catch (error) {
    throw parseProblem(text, error)
  }
}

/** Formats SQL; whatever the library makes of it, only white space and the case of keywords may change. */
export async function* formatSql(
  input: AsyncIterable<Uint8Array>,
  options: SqlOptions,
): AsyncGenerator<Uint8Array> {
  const text = await boundedText(input, bytesMax)
  if (parenthesesDepth(text, options.dialect) > depthMax) throw tooDeep()
  const made = formatted(text, options)
  const change = firstChange(text, made, options.dialect, options.keyword_case !== 'preserve')
  if (change !== null)
    throw new ToolInputError(
      'sql_not_kept',
      'Formatting would change more than white space here; another dialect may know this.',
      positionInText(text, change),
    )
  yield* textChunks(made === '' ? '' : `${made}\n`)
}
