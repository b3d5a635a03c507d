import type { DocumentError, OpenedDocument, PartReader, Progress } from './document-reader.js'
import type { Kind } from './kinds/kind.js'
import type { WantedDocument } from './receive-document.js'

/** What comes back for a question. */
export type Answer<Q extends PartQuestion> = Awaited<ReturnType<PartReader[Q]>>

/** What can be asked of a part once it is open. */
export type PartQuestion = Exclude<keyof PartReader, 'part' | 'close'>

/** The questions of a `PartReader`, answered at once. */
export type PartAnswers = {
  readonly [Q in PartQuestion]: (...asked: Parameters<PartReader[Q]>) => Awaited<ReturnType<PartReader[Q]>>
}

/** What the page sends to the worker: first what to open, then questions. */
export type ToWorker =
  | { readonly kind: 'open'; readonly wanted: WantedDocument; readonly tool: string }
  | {
      readonly kind: 'ask'
      readonly id: number
      /** The part that is asked about, by the id with which it was opened. */
      readonly part: number
      readonly question: PartQuestion
      readonly asked: readonly unknown[]
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
  | { readonly kind: 'answered'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'unanswered'; readonly id: number; readonly failure: Failure }
