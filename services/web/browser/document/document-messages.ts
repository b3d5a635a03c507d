import type { DocumentError, OpenedDocument, PartReader, Progress } from './document-reader.js'
import type { Kind } from './kinds/kind.js'
import type { WantedDocument } from './receive-document.js'

/** The result of a query. */
export type QueryResult<Q extends PartQuery> = Awaited<ReturnType<PartReader[Q]>>

/** A query of an open part. */
export type PartQuery = Exclude<keyof PartReader, 'part' | 'close'>

/** The queries of a `PartReader`, run synchronously. */
export type PartQueries = {
  readonly [Q in PartQuery]: (...args: Parameters<PartReader[Q]>) => Awaited<ReturnType<PartReader[Q]>>
}

/** What the page sends to the worker: first what to open, then queries. */
export type ToWorker =
  | { readonly kind: 'open'; readonly wanted: WantedDocument; readonly tool: string }
  | {
      readonly kind: 'query'
      readonly id: number
      /** The part, by the id with which it was opened. */
      readonly part: number
      readonly query: PartQuery
      readonly args: readonly unknown[]
    }
  | { readonly kind: 'open-part'; readonly id: number; readonly index: number; readonly as: Kind | null }
  | { readonly kind: 'close-part'; readonly part: number }

/** Why something failed, as it travels between the two. */
export interface Failure {
  readonly code: DocumentError['code']
  readonly message: string
}

/** What the worker sends back. */
export type FromWorker =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'opened'; readonly opened: OpenedDocument }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'query-failed'; readonly id: number; readonly failure: Failure }
