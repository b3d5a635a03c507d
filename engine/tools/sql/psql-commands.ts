import { piecesOf } from './first-change.js'

/** A part of a script: SQL, or a line with a command of psql. */
export interface ScriptPart {
  readonly text: string
  readonly start: number
  readonly isCommand: boolean
}

/**
 * A line such as `\set x 1` or `\restrict key`. Not `\.` and `\N`, which belong to the data of COPY: that would be
 * formatted as if it were SQL.
 */
const command = /[ \t]*\\(?!N)[A-Za-z?!][^\n]*/y

/** Where the first command begins that is on a line of its own, outside of strings, names and comments. */
function commandStart(text: string): number {
  for (const { text: piece, index } of piecesOf(text, 'postgresql')) {
    if (piece !== '\\') continue
    const lineStart = text.lastIndexOf('\n', index) + 1
    command.lastIndex = lineStart
    if (text.slice(lineStart, index).trim() === '' && command.test(text)) return lineStart
  }
  return text.length
}

/** SQL and commands of psql in turn; only Postgres has such commands, and each takes the rest of its line. */
export function* scriptParts(text: string, dialect: string): Generator<ScriptPart> {
  if (dialect !== 'postgresql') {
    yield { text, start: 0, isCommand: false }
    return
  }
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at)
    const start = commandStart(rest)
    if (rest.slice(0, start).trim() !== '') yield { text: rest.slice(0, start), start: at, isCommand: false }
    at += start
    command.lastIndex = at
    const [line] = command.exec(text) ?? ['']
    if (line !== '') yield { text: line.replace(/\r$/, ''), start: at, isCommand: true }
    at += line.length
  }
}
