import type { Answer, PartQuestion } from './document-messages.js'
import type { PartReader } from './document-reader.js'

/** A way to ask: for each question the function of a reader that asks it. */
export type Ask = <Q extends PartQuestion>(
  question: Q,
) => (...asked: Parameters<PartReader[Q]>) => Promise<Answer<Q>>

/** The part of a reader that asks, every question in this way. */
export function askEverything(ask: Ask): Pick<PartReader, PartQuestion> {
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
    wholeText: ask('wholeText'),
    markup: ask('markup'),
    picture: ask('picture'),
    diff: ask('diff'),
    diffRows: ask('diffRows'),
  }
}
