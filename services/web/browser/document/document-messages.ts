import type { DocumentError, OpenedDocument, PartReader, Progress } from './document-reader.js'
import type { Kind } from './kinds/kind.js'
import type { CsvChoice } from './table/csv-table.js'

/** The result of a query. */
export type QueryResult<Q extends PartQuery> = Awaited<ReturnType<PartReader[Q]>>

/** A query on an open part. */
export type PartQuery = Exclude<keyof PartReader, 'part' | 'close'>

/** The queries of a `PartReader`, run synchronously. */
export type PartQueries = {
  readonly [Q in PartQuery]: (...args: Parameters<PartReader[Q]>) => Awaited<ReturnType<PartReader[Q]>>
}

/** A message to the worker: first what to open, then queries. */
export type ToWorker<Source> =
  | { readonly kind: 'open'; readonly source: Source }
  | {
      readonly kind: 'query'
      readonly id: number
      /** The part, by the id it was opened with. */
      readonly part: number
      readonly query: PartQuery
      readonly args: readonly unknown[]
    }
  | {
      readonly kind: 'open-part'
      readonly id: number
      readonly index: number
      readonly as: Kind | null
      readonly csv: CsvChoice | undefined
    }
  | { readonly kind: 'close-part'; readonly part: number }

/** An error as it is posted to the page. */
export interface Failure {
  readonly code: DocumentError['code']
  readonly message: string
}

/** A message from the worker. */
export type FromWorker<Opened extends OpenedDocument> =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'opened'; readonly opened: Opened }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'query-failed'; readonly id: number; readonly failure: Failure }
