import { text } from '../../texts/text.js'
import type { Failure, FromWorker, PartQueries, ToWorker } from './document-messages.js'
import { DocumentError, type OpenedDocument, type Progress } from './document-reader.js'
import type { Kind } from './kinds/kind.js'
import type { ReadPart } from './read-part.js'
import type { CsvChoice } from './table/csv-table.js'

/** A document that a worker has read, and its parts, each read when it is opened. */
export interface ServedDocument<Opened extends OpenedDocument> {
  readonly opened: Opened
  openPart(index: number, kind: Kind | null, csv?: CsvChoice): Promise<ReadPart>
}

function failureOf(error: unknown): Failure {
  if (error instanceof DocumentError) return { code: error.code, message: error.message }
  // What engines throw where there is no memory left for an array or a string.
  if (error instanceof RangeError && /allocat|memory|length/i.test(error.message))
    return { code: 'too-large', message: text('document.too-large') }
  return { code: 'broken', message: text('document.broken') }
}

function broken(): DocumentError {
  return new DocumentError('broken', text('document.broken'))
}

/** Makes this worker the one of a document: it opens the document, keeps it and runs queries until the page ends it. */
export function serveDocument<Source, Opened extends OpenedDocument>(
  open: (source: Source, onProgress: (progress: Progress) => void) => Promise<ServedDocument<Opened>>,
): void {
  let served: ServedDocument<Opened> | null = null
  /** The open parts, by the ids that the page gave them. */
  const parts = new Map<number, ReadPart>()
  const send = (message: FromWorker<Opened>): void => self.postMessage(message)

  const openSource = async (source: Source): Promise<void> => {
    try {
      served = await open(source, (progress) => send({ kind: 'progress', progress }))
      send({ kind: 'opened', opened: served.opened })
    } catch (error) {
      send({ kind: 'failed', failure: failureOf(error) })
    }
  }
  const openPart = async ({
    id,
    index,
    as,
    csv,
  }: Extract<ToWorker<Source>, { kind: 'open-part' }>): Promise<void> => {
    try {
      if (served === null) throw broken()
      const part = await served.openPart(index, as, csv)
      parts.set(id, part)
      send({ kind: 'result', id, result: part.opened })
    } catch (error) {
      send({ kind: 'query-failed', id, failure: failureOf(error) })
    }
  }
  const runQuery = ({ id, part, query, args }: Extract<ToWorker<Source>, { kind: 'query' }>): void => {
    try {
      const queries: Partial<PartQueries> | undefined = parts.get(part)?.queries
      const method: ((...args: readonly never[]) => unknown) | undefined = queries?.[query]
      if (method === undefined) throw broken()
      send({ kind: 'result', id, result: Reflect.apply(method, undefined, args) })
    } catch (error) {
      send({ kind: 'query-failed', id, failure: failureOf(error) })
    }
  }

  self.addEventListener('message', ({ data }: MessageEvent<ToWorker<Source>>) => {
    switch (data.kind) {
      case 'open':
        void openSource(data.source)
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
}
