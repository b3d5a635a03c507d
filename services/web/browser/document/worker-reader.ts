import { text } from '../../texts/text.js'
import type { Failure, FromWorker, ToWorker } from './document-messages.js'
import {
  DocumentError,
  type DocumentReader,
  type OpenedDocument,
  type OpenedPart,
  type PartReader,
  type Progress,
} from './document-reader.js'
import type { Kind } from './kinds/kind.js'
import { queryMethods, type RunQuery } from './query-methods.js'
import type { CsvChoice } from './table/csv-table.js'

interface Waiting {
  settle(message: MessageEvent): void
  fail(failure: Failure): void
}

/** Pending queries: each gets one result, or all fail together. */
function queriesTo(worker: Worker): {
  openPart(index: number, as: Kind | null, csv?: CsvChoice): Promise<PartReader>
  take(id: number): Waiting | undefined
  failAll(failure: Failure): void
} {
  const waiting = new Map<number, Waiting>()
  let failed: Failure | null = null
  let lastId = 0
  const nextId = (): number => {
    lastId += 1
    return lastId
  }
  const send = <Reply>(id: number, message: ToWorker<never>): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const fail = ({ code, message: reason }: Failure): void => reject(new DocumentError(code, reason))
      if (failed !== null) return fail(failed)
      waiting.set(id, { settle: ({ data }) => resolve(data.result), fail })
      worker.postMessage(message)
    })
  const run =
    (part: number): RunQuery =>
    (query) =>
    (...args) => {
      const id = nextId()
      return send(id, { kind: 'query', id, part, query, args })
    }
  return {
    async openPart(index, as, csv) {
      const id = nextId()
      const part = await send<OpenedPart>(id, { kind: 'open-part', id, index, as, csv })
      return {
        part,
        ...queryMethods(run(id)),
        close: () => worker.postMessage({ kind: 'close-part', part: id } satisfies ToWorker<never>),
      }
    },
    take: (id) => {
      const one = waiting.get(id)
      waiting.delete(id)
      return one
    },
    failAll: (failure) => {
      failed = failure
      for (const one of waiting.values()) one.fail(failure)
      waiting.clear()
    },
  }
}

/** What a worker opens, and where it reports its progress. */
export interface WorkerReaderParts<Source> {
  readonly worker: Worker
  /** Known once the headers are with which to ask for it. */
  readonly source: Promise<Source>
  onProgress(progress: Progress): void
}

/**
 * The reader of what a worker of its own opens. Closing it ends the worker: what is still in progress fails as
 * `cancelled`.
 */
export function workerReader<Source, Opened extends OpenedDocument>({
  worker,
  source,
  onProgress,
}: WorkerReaderParts<Source>): DocumentReader<Opened> {
  const { openPart, take, failAll } = queriesTo(worker)
  const { promise: opened, resolve, reject } = Promise.withResolvers<Opened>()
  // A caller that closes a document early need not handle the rejection.
  opened.catch(() => undefined)
  const end = (failure: Failure): void => {
    worker.terminate()
    failAll(failure)
    reject(new DocumentError(failure.code, failure.message))
  }
  worker.addEventListener('message', (message: MessageEvent<FromWorker<Opened>>) => {
    const { data } = message
    switch (data.kind) {
      case 'progress':
        return onProgress(data.progress)
      case 'opened':
        return resolve(data.opened)
      case 'failed':
        return end(data.failure)
      case 'result':
        return take(data.id)?.settle(message)
      case 'query-failed':
        return take(data.id)?.fail(data.failure)
      default:
        return data satisfies never
    }
  })
  worker.addEventListener('error', () => end({ code: 'broken', message: text('document.broken') }))
  source.then(
    (known) => worker.postMessage({ kind: 'open', source: known } satisfies ToWorker<Source>),
    () => end({ code: 'refused', message: text('document.refused') }),
  )
  return {
    opened,
    openPart,
    close: () => end({ code: 'cancelled', message: text('document.cancelled') }),
  }
}
