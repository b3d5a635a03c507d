import { text } from '../../texts/text.js'
import type { Failure, FromWorker, ToWorker } from './document-messages.js'
import { DocumentError } from './document-reader.js'
import { type ReadDocument, readDocument } from './read-document.js'
import { receiveDocument, type WantedDocument } from './receive-document.js'

// The worker of one document: it fetches it, keeps it, and answers what the page asks until the page ends it.

let read: ReadDocument | null = null

function send(message: FromWorker): void {
  self.postMessage(message)
}

function failureOf(error: unknown): Failure {
  if (error instanceof DocumentError) return { code: error.code, message: error.message }
  return { code: 'broken', message: text('document.broken') }
}

async function open(wanted: WantedDocument): Promise<void> {
  try {
    const bytes = await receiveDocument(fetch, wanted, (progress) => send({ kind: 'progress', progress }))
    read = readDocument(bytes)
    send({ kind: 'opened', opened: read.opened })
  } catch (error) {
    send({ kind: 'failed', failure: failureOf(error) })
  }
}

function answer({ id, question, asked }: Extract<ToWorker, { kind: 'ask' }>): void {
  try {
    if (read === null) throw new DocumentError('broken', text('document.broken'))
    const ask: (...asked: readonly never[]) => unknown = read.answers[question]
    send({ kind: 'answered', id, answer: Reflect.apply(ask, undefined, asked) })
  } catch (error) {
    send({ kind: 'unanswered', id, failure: failureOf(error) })
  }
}

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case 'open':
      void open(data.wanted)
      break
    case 'ask':
      answer(data)
      break
    default:
      data satisfies never
  }
})
