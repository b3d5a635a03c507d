import { type Ask, askEverything } from '../ask-everything.js'
import type { Answer, Question } from '../document-messages.js'
import type { DocumentReader } from '../document-reader.js'
import { readDocument } from '../read-document.js'

/** A reader of this JSON text without a worker: every answer comes as soon as promises do. */
export function readerOf(json: string): DocumentReader {
  const { opened, answers } = readDocument(new TextEncoder().encode(json))
  const ask: Ask =
    <Q extends Question>(question: Q) =>
    async (...asked: Parameters<DocumentReader[Q]>): Promise<Answer<Q>> =>
      answers[question](...asked)
  return {
    opened: Promise.resolve(opened),
    ...askEverything(ask),
    close: () => undefined,
  }
}
