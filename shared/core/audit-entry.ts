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

/**
 * Something an operator did. A service writes it down in the step of the change itself; identity keeps those of all
 * services in one log, and nothing changes them.
 */
export interface AuditEntry {
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

/** An entry to record; the store chooses its id and time. */
export type AuditEntryDraft = Pick<AuditEntry, 'action' | 'subject' | 'accountId' | 'detail'>

/** The filter and page of a list of entries, newest first. */
export interface AuditLogFilter {
  readonly accountId: string | null
  readonly subjectId: string | null
  readonly after: ListPosition | null
  readonly itemsMax: number
}

/** A page of entries. */
export type AuditLogPage = Page<AuditEntry>

/** Entries on their way to the log, written with the changes that they record. */
export interface AuditOutbox {
  /** Up to `limit` entries to deliver, leased for `leaseMs`. */
  claim(limit: number, leaseMs: number): Promise<readonly AuditEntry[]>
  /** Removes an entry that is in the log. */
  finish(entry: AuditEntry): Promise<void>
  /** Schedules a retry of an entry, with exponential backoff up to a minute. */
  postpone(entry: AuditEntry): Promise<void>
}

/** The decision of someone with a shell, whom nothing identifies. */
export function decidedAtTerminal(reason: string): OperatorDecision {
  return { operatorId: 'terminal', operatorName: '', reason, message: '', shownAs: null }
}

/** What an event tells the owner about a decision. */
export function publicDetail({ message, shownAs }: Pick<OperatorDecision, 'message' | 'shownAs'>): {
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
