import type { Answer, Question } from '../document-messages.js'
import type { DocumentReader } from '../document-reader.js'
import { readDocument } from '../read-document.js'

/** A reader of this JSON text without a worker: every answer comes as soon as promises do. */
export function readerOf(json: string): DocumentReader {
  const { opened, answers } = readDocument(new TextEncoder().encode(json))
  const ask =
    <Q extends Question>(question: Q) =>
    async (...asked: Parameters<DocumentReader[Q]>): Promise<Answer<Q>> =>
      answers[question](...asked)
  return {
    opened: Promise.resolve(opened),
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
    close: () => undefined,
  }
}
