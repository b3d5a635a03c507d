import { type Ask, askEverything } from '../ask-everything.js'
import type { Answer, PartAnswers, PartQuestion } from '../document-messages.js'
import type { DocumentReader, PartReader } from '../document-reader.js'
import { readDocument } from '../read-document.js'
import type { ReadPart } from '../read-part.js'

function askingPart(answers: PartAnswers): Ask {
  return <Q extends PartQuestion>(question: Q) =>
    async (...asked: Parameters<PartReader[Q]>): Promise<Answer<Q>> =>
      answers[question](...asked)
}

/** A reader of this JSON text without a worker: every answer comes as soon as promises do. */
export function readerOf(json: string, tool = ''): DocumentReader {
  const { opened, openPart } = readDocument(new TextEncoder().encode(json), tool)
  return {
    opened: Promise.resolve(opened),
    async openPart(index, kind) {
      const part = await openPart(index, kind)
      return { part: part.opened, ...askEverything(askingPart(part.answers)), close: () => undefined }
    },
    close: () => undefined,
  }
}

/** The part of this JSON text that opens first, and what it answers at once. */
export async function firstPart(json: string): Promise<ReadPart> {
  const { opened, openPart } = readDocument(new TextEncoder().encode(json))
  return openPart(opened.firstPart, null)
}

/** A reader of that part. */
export async function firstPartReader(json: string): Promise<PartReader> {
  const reader = readerOf(json)
  const { firstPart: index } = await reader.opened
  return reader.openPart(index, null)
}
