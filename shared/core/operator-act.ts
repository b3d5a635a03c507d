import type { ListPosition, Page } from '#libs/core/page.js'

/** Who decides what an operator does, and why. */
export interface OperatorDecision {
  /** The account of the operator, or `terminal`. */
  readonly operatorId: string
  /** The operator's e-mail address or name, for the record. */
  readonly operatorName: string
  /** For the record; owners never see it. */
  readonly reason: string
  /** For the owner of what is changed; may be empty. */
  readonly message: string
  /** How the owner sees the operator; `null` to leave that out. */
  readonly shownAs: string | null
}

/** Something an operator did. The services record it in the step of the change itself, and never change it. */
export interface OperatorAct {
  readonly id: string
  /** A group and a verb, such as `share.disabled`. */
  readonly action: string
  readonly operatorId: string
  readonly operatorName: string
  readonly subject: { readonly kind: 'account' | 'share' | 'report'; readonly id: string }
  /** The account it concerns; empty if there is none any more. */
  readonly accountId: string
  readonly reason: string
  readonly message: string
  readonly detail: Readonly<Record<string, string | number | null>>
  readonly createdAt: Date
}

/** An act to record; the store chooses its id and time. */
export type OperatorActDraft = Pick<OperatorAct, 'action' | 'subject' | 'accountId' | 'detail'>

/** The filter and page of a list of acts, newest first. */
export interface OperatorActFilter {
  readonly accountId: string | null
  readonly subjectId: string | null
  readonly after: ListPosition | null
  readonly itemsMax: number
}

/** A page of acts. */
export type OperatorActPage = Page<OperatorAct>

/** The decision of someone with a shell, whom nothing identifies. */
export function decidedAtTerminal(reason: string): OperatorDecision {
  return { operatorId: 'terminal', operatorName: '', reason, message: '', shownAs: null }
}

/** What an event tells the owner about a decision. */
export function toldDetail({ message, shownAs }: Pick<OperatorDecision, 'message' | 'shownAs'>): {
  readonly message?: string
  readonly operator?: string
} {
  return { ...(message === '' ? {} : { message }), ...(shownAs === null ? {} : { operator: shownAs }) }
}

/** A table whose rows wait for a background job. */
export interface QueueState {
  readonly name: string
  readonly waiting: number
  /** Those that have failed at least once. */
  readonly failing: number
  /** `null` if nothing waits. */
  readonly oldestAt: Date | null
}
