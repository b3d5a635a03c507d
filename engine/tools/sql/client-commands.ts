import { likeMysql } from './sql-language.js'

/** Lines of a script that a client reads, not the server. */
export interface ClientCommands {
  /** On a line of its own, also within a statement. */
  readonly onLine: RegExp | null
  /** On a line where a statement could begin. */
  readonly atStatement: RegExp | null
  /** Anywhere outside of strings, names and comments. */
  readonly anywhere: RegExp | null
}

const none: ClientCommands = { onLine: null, atStatement: null, anywhere: null }

/** Those of psql. Not `\.` and `\N`, which belong to the data of COPY: without it they are mistakes. */
const psql: ClientCommands = { ...none, anywhere: /\\(?:;|(?!N)[A-Za-z?!][^\n]*)/y }

/** In the client of MySQL, words are commands only if the delimiter is not on their line, but for `delimiter`. */
const mysql: ClientCommands = {
  ...none,
  atStatement:
    /(?:delimiter|source|use|system|tee|notee|prompt|pager|nopager|connect|status|rehash|warnings|nowarning|charset|help|quit|exit|clear|edit|ego|go|print|resetconnection)(?![\w(])[^\n]*/iy,
  anywhere: /\\(?:[Gg]|[A-Za-z.!?#][^\n]*)/y,
}

const sqlcmd: ClientCommands = {
  ...none,
  onLine:
    /go(?:[ \t]+\d+)?[ \t]*(?:--[^\n]*)?(?=\r?\n|\r?$)|:(?:r|setvar|on|connect|out|error|perftrace|list|listvar|reset|quit|exit|ed|help|serverlist|xml)\b[^\n]*|!![^\n]*/iy,
  atStatement: /(?:exit|quit|reset|ed)[ \t]*(?=\r?\n|\r?$)/iy,
}

/** A hyphen at the end of a line of SQL*Plus continues it. */
const sqlplusLine = String.raw`(?:[^\n]*-[ \t]*\r?\n)*[^\n]*`
const sqlplusWords =
  'acc(?:e|ep|ept)?|a(?:p|pp|ppe|ppen|ppend)?|archive|attr(?:i|ib|ibu|ibut|ibute)?|bre(?:a|ak)?|bti(?:t|tl|tle)?|c(?:h|ha|han|hang|hange)?|cl(?:e|ea|ear)?|col(?:u|um|umn)?|comp(?:u|ut|ute)?|conn(?:e|ec|ect)?|copy|def(?:i|in|ine)?|del|desc(?:r|ri|rib|ribe)?|disc(?:o|on|onn|onne|onnec|onnect)?|ed(?:i|it)?|exec(?:u|ut|ute)?|exit|get|help|history|ho(?:s|st)?|i(?:n|np|npu|nput)?|l(?:i|is|ist)?|passw(?:o|or|ord)?|pau(?:s|se)?|print?|pri|pro(?:m|mp|mpt)?|quit|recover|rem(?:a|ar|ark)?|repf(?:o|oo|oot|oote|ooter)?|reph(?:e|ea|ead|eade|eader)?|r(?:u|un)?|sav(?:e)?|set(?!\\s+(?:transaction|role|constraints?)\\b)|sho(?:w)?|shutdown|spo(?:o|ol)?|sta(?:r|rt)?|startup|store|timi(?:n|ng)?|tti(?:t|tl|tle)?|undef(?:i|in|ine)?|var(?:i|ia|iab|iabl|iable)?|whenever|xquery'

const sqlplus: ClientCommands = {
  ...none,
  onLine: /[/.][ \t]*(?=\r?\n|\r?$)/y,
  atStatement: new RegExp(`(?:@@?|!|\\$|#)[^\\n]*|(?:${sqlplusWords})(?![\\w$#])${sqlplusLine}`, 'iy'),
}

const byDialect: ReadonlyMap<string, ClientCommands> = new Map([
  ['postgresql', psql],
  ['redshift', psql],
  ...[...likeMysql].map((dialect) => [dialect, mysql] as const),
  ['transactsql', sqlcmd],
  ['plsql', sqlplus],
  ['sqlite', { ...none, atStatement: /\.[a-z][^\n]*/iy }],
  ['duckdb', { ...none, atStatement: /\.[a-z][^\n]*/iy }],
  ['snowflake', { ...none, atStatement: /![a-z][^\n]*/iy }],
  ['n1ql', { ...none, atStatement: /\\[A-Za-z][^\n]*/iy }],
  ['db2', { ...none, onLine: /--#set[ \t][^\n]*/iy, atStatement: /![^\n]*/iy }],
])

/** The commands of the clients that scripts of a dialect are written for. */
export function clientCommands(dialect: string): ClientCommands {
  return byDialect.get(dialect) ?? none
}

/** What ends statements from this command on; `null` if it does not change that. */
export function delimiterSet(command: string): string | null {
  const [, delimiter] =
    /^(?:delimiter|--#set[ \t]+(?:terminator|delimiter))[ \t]+['"]?([^\s'"]+)/i.exec(command) ?? []
  return delimiter ?? null
}

/** What begins a block of PL/SQL, which only a line with a slash ends. */
const plsqlBlock =
  /(?:<<|(?:declare|begin)\b|create\s+(?:or\s+replace\s+)?(?:(?:non)?editionable\s+)?(?:function|procedure|package|trigger|type|library|and\s)|with\s+(?:function|procedure)\b)/iy

/** Whether a block begins here that holds semicolons and ends with a line of the client. */
export function beginsBlock(text: string, at: number, dialect: string): boolean {
  if (dialect !== 'plsql') return false
  plsqlBlock.lastIndex = at
  return plsqlBlock.test(text)
}

const hiveSetting = /(?:set|reset|dfs|source|(?:add|delete|list)\s+(?:jars?|files?|archives?))(?![\w(])|!/iy

/** Whether a statement begins here whose text a client or server takes as it is, up to the semicolon. */
export function isVerbatim(text: string, at: number, dialect: string): boolean {
  if (dialect !== 'hive' && dialect !== 'spark') return false
  hiveSetting.lastIndex = at
  return hiveSetting.test(text)
}

/** Whether this statement has its data on the lines that follow it: up to `\.` in Postgres. */
export function hasCopyData(words: readonly string[], dialect: string): boolean {
  if (dialect !== 'postgresql' && dialect !== 'redshift') return false
  const at = words.indexOf('stdin')
  return words[0] === 'copy' && words[at - 1] === 'from'
}

/** Whether the data of an INSERT follows in the text after this word: ClickHouse takes it to the end. */
export function hasInlineData(words: readonly string[], dialect: string): boolean {
  return (
    dialect === 'clickhouse' &&
    words[0] === 'insert' &&
    words.at(-2) === 'format' &&
    words.at(-1) !== 'values'
  )
}
