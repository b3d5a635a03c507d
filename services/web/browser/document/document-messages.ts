import type { DocumentError, DocumentReader, OpenedDocument, Progress } from './document-reader.js'
import type { WantedDocument } from './receive-document.js'

/** What can be asked of a document once it is open. */
export type Question = Exclude<keyof DocumentReader, 'opened' | 'close'>

/** What comes back for a question. */
export type Answer<Q extends Question> = Awaited<ReturnType<DocumentReader[Q]>>

/** The questions of a `DocumentReader`, answered at once by whoever holds the document. */
export type DocumentAnswers = {
  readonly [Q in Question]: (...asked: Parameters<DocumentReader[Q]>) => Answer<Q>
}

/** What the page sends to the worker: first what to open, then questions. */
export type ToWorker =
  | { readonly kind: 'open'; readonly wanted: WantedDocument }
  | {
      readonly kind: 'ask'
      readonly id: number
      readonly question: Question
      readonly asked: readonly unknown[]
    }

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
