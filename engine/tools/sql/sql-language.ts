import type { DialectOptions } from 'sql-formatter'

/** The dialects, as the library names them. */
export const dialects = [
  'sql',
  'bigquery',
  'clickhouse',
  'db2',
  'db2i',
  'duckdb',
  'hive',
  'mariadb',
  'mysql',
  'n1ql',
  'plsql',
  'postgresql',
  'redshift',
  'singlestoredb',
  'snowflake',
  'spark',
  'sqlite',
  'tidb',
  'transactsql',
  'trino',
] as const

export type SqlDialect = (typeof dialects)[number]

/** How a quoted text ends. */
export interface QuoteRules {
  readonly close: string
  /** Two closing quotes stand for one. */
  readonly isDoubled: boolean
  /** A backslash keeps the next character from ending it. */
  readonly hasEscapes: boolean
  /** A value, not a name. */
  readonly isString: boolean
}

/** What a dialect has that a lexer must know. */
export interface SqlLanguage {
  readonly dialect: string
  /** By what begins the quoted text, in lower case and prefixes included: `'`, `e'`, `"""`. */
  readonly quotes: ReadonlyMap<string, QuoteRules>
  /** Whether there are strings such as $$…$$ and $tag$…$tag$. */
  readonly hasDollarQuotes: boolean
  /** Whether there are strings such as q'[…]'. */
  readonly hasQQuotes: boolean
  readonly lineComments: readonly string[]
  readonly hasNestedComments: boolean
}

/** Dialects of the family of Postgres, whose operators are runs of characters. */
export const likePostgres: ReadonlySet<string> = new Set(['postgresql', 'redshift', 'duckdb'])
/** Dialects whose client is that of MySQL. */
export const likeMysql: ReadonlySet<string> = new Set(['mysql', 'mariadb', 'tidb', 'singlestoredb'])

type QuoteType = DialectOptions['tokenizerOptions']['stringTypes'][number]

function rulesOf(quote: string, isString: boolean): readonly [open: string, rules: QuoteRules] {
  const mode = quote.split('-').slice(1)
  const open = quote === '[]' ? '[' : quote.includes('..') ? quote.slice(0, 3) : quote.charAt(0)
  const isDoubled = mode.includes('qq') || quote === '``' || quote === '[]'
  const hasEscapes = mode.includes('bs') || quote.includes('..')
  return [open, { close: open === '[' ? ']' : open, isDoubled, hasEscapes, isString }]
}

/** The quotes that the library knows in a dialect: what it takes for one token must be one here. */
export function languageOf(dialect: string, { tokenizerOptions }: DialectOptions): SqlLanguage {
  const quotes = new Map<string, QuoteRules>()
  let [hasDollarQuotes, hasQQuotes] = [false, false]
  const add = (type: QuoteType, isString: boolean): void => {
    if (typeof type !== 'string' && !('quote' in type)) return
    const quote = typeof type === 'string' ? type : type.quote
    if (quote === '$$') hasDollarQuotes = true
    else if (quote === "q''") hasQQuotes = true
    else if (quote !== '{}') {
      const [open, rules] = rulesOf(quote, isString)
      if (typeof type === 'string' || type.requirePrefix !== true) quotes.set(open, rules)
      if (typeof type !== 'string')
        for (const prefix of type.prefixes) quotes.set(prefix.toLowerCase() + open, rules)
    }
  }
  for (const type of tokenizerOptions.stringTypes) add(type, true)
  for (const type of tokenizerOptions.identTypes) add(type, false)
  const lineComments = (tokenizerOptions.lineCommentTypes ?? ['--']).filter((mark) => !mark.startsWith('\\'))
  const hasNestedComments = tokenizerOptions.nestedBlockComments === true
  return { dialect, quotes, hasDollarQuotes, hasQQuotes, lineComments, hasNestedComments }
}
