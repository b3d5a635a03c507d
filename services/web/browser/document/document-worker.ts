import { text } from '../../texts/text.js'
import type { Failure, FromWorker, PartQueries, ToWorker } from './document-messages.js'
import { DocumentError } from './document-reader.js'
import { type ReadDocument, readDocument } from './read-document.js'
import type { ReadPart } from './read-part.js'
import { receiveDocument } from './receive-document.js'

// The worker of one document: it fetches the document, keeps it and runs the page's queries until the page
// terminates it.

let read: ReadDocument | null = null
/** The open parts, by the ids that the page gave them. */
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

function runQuery({ id, part, query, args }: Extract<ToWorker, { kind: 'query' }>): void {
  try {
    const queries: Partial<PartQueries> | undefined = parts.get(part)?.queries
    const method: ((...args: readonly never[]) => unknown) | undefined = queries?.[query]
    if (method === undefined) throw new DocumentError('broken', text('document.broken'))
    send({ kind: 'result', id, result: Reflect.apply(method, undefined, args) })
  } catch (error) {
    send({ kind: 'query-failed', id, failure: failureOf(error) })
  }
}

async function openPart({ id, index, as }: Extract<ToWorker, { kind: 'open-part' }>): Promise<void> {
  try {
    if (read === null) throw new DocumentError('broken', text('document.broken'))
    const part = await read.openPart(index, as)
    parts.set(id, part)
    send({ kind: 'result', id, result: part.opened })
  } catch (error) {
    send({ kind: 'query-failed', id, failure: failureOf(error) })
  }
}

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case 'open':
      void open(data)
      break
    case 'query':
      runQuery(data)
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
