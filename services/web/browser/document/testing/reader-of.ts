import { type Ask, askEverything } from '../ask-everything.js'
import type { Answer, DocumentAnswers, PartAnswers, PartQuestion } from '../document-messages.js'
import type { DocumentReader, PartReader } from '../document-reader.js'
import { readDocument } from '../read-document.js'

function asking(answers: Partial<PartAnswers> | DocumentAnswers): Ask {
  const all: Partial<PartAnswers> = answers
  return <Q extends PartQuestion>(question: Q) =>
    async (...asked: Parameters<PartReader[Q]>): Promise<Answer<Q>> => {
      const answer = all[question]
      if (answer === undefined) throw new TypeError(`nobody answers ${question}`)
      return answer(...asked)
    }
}

/** A reader of this JSON text without a worker: every answer comes as soon as promises do. */
export function readerOf(json: string, tool = ''): DocumentReader {
  const { opened, answers, openPart } = readDocument(new TextEncoder().encode(json), tool)
  return {
    opened: Promise.resolve(opened),
    ...askEverything(asking(answers)),
    async openPart(index, kind) {
      const part = await openPart(index, kind)
      return { part: part.opened, ...askEverything(asking(part.answers)), close: () => undefined }
    },
    close: () => undefined,
  }
}
