import { text } from '../../texts/text.js'
import type { Failure, FromWorker, PartAnswers, ToWorker } from './document-messages.js'
import { DocumentError } from './document-reader.js'
import { type ReadDocument, readDocument } from './read-document.js'
import type { ReadPart } from './read-part.js'
import { receiveDocument } from './receive-document.js'

// The worker of one document: it fetches it, keeps it, and answers what the page asks until the page ends it.

let read: ReadDocument | null = null
/** The parts that are open, by the ids with which they were asked for. */
const parts = new Map<number, ReadPart>()

function send(message: FromWorker): void {
  self.postMessage(message)
}

function failureOf(error: unknown): Failure {
  if (error instanceof DocumentError) return { code: error.code, message: error.message }
  return { code: 'broken', message: text('document.broken') }
}

async function open({ wanted, tool }: Extract<ToWorker, { kind: 'open' }>): Promise<void> {
  try {
    const bytes = await receiveDocument(fetch, wanted, (progress) => send({ kind: 'progress', progress }))
    read = readDocument(bytes, tool)
    send({ kind: 'opened', opened: read.opened })
  } catch (error) {
    send({ kind: 'failed', failure: failureOf(error) })
  }
}

function answer({ id, part, question, asked }: Extract<ToWorker, { kind: 'ask' }>): void {
  try {
    const answers: Partial<PartAnswers> | undefined = parts.get(part)?.answers
    const ask: ((...asked: readonly never[]) => unknown) | undefined = answers?.[question]
    if (ask === undefined) throw new DocumentError('broken', text('document.broken'))
    send({ kind: 'answered', id, answer: Reflect.apply(ask, undefined, asked) })
  } catch (error) {
    send({ kind: 'unanswered', id, failure: failureOf(error) })
  }
}

async function openPart({ id, index, as }: Extract<ToWorker, { kind: 'open-part' }>): Promise<void> {
  try {
    if (read === null) throw new DocumentError('broken', text('document.broken'))
    const part = await read.openPart(index, as)
    parts.set(id, part)
    send({ kind: 'answered', id, answer: part.opened })
  } catch (error) {
    send({ kind: 'unanswered', id, failure: failureOf(error) })
  }
}

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case 'open':
      void open(data)
      break
    case 'ask':
      answer(data)
      break
    case 'open-part':
      void openPart(data)
      break
    case 'close-part':
      parts.delete(data.part)
      break
    default:
      data satisfies never
  }
})
