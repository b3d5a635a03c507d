import type { Answer, Question } from './document-messages.js'
import type { DocumentReader } from './document-reader.js'

/** A way to ask: for each question the function of a reader that asks it. */
export type Ask = <Q extends Question>(
  question: Q,
) => (...asked: Parameters<DocumentReader[Q]>) => Promise<Answer<Q>>

/** The part of a reader that asks, every question in this way. */
export function askEverything(ask: Ask): Pick<DocumentReader, Question> {
  return {
    lineCount: ask('lineCount'),
    lines: ask('lines'),
    findText: ask('findText'),
    lineOf: ask('lineOf'),
    root: ask('root'),
    children: ask('children'),
    locate: ask('locate'),
    findNode: ask('findNode'),
    textOf: ask('textOf'),
    table: ask('table'),
    rows: ask('rows'),
    cell: ask('cell'),
    positionOf: ask('positionOf'),
    findCell: ask('findCell'),
  }
}
