import type { Page } from '#libs/core/page.js'
import type { OperatorDecision, QueueState } from '#shared/core/audit-entry.js'
import type { OwnerId, ShareId } from './domain/ids.js'
import type { ModeratedShare } from './domain/moderated-share.js'
import type { Report, ReportDraft, ReportFilter, ReportId } from './domain/report.js'

/** Stores reports of shares. */
export interface ReportStore {
  /**
   * Stores a report, or counts it as a repetition of the reporter's open report of this share, whose text it
   * replaces. Does nothing if `reportsPerShareMax` reports of the share are stored, and for an unknown share.
   */
  add(draft: ReportDraft): Promise<void>
  /** Newest first, with the current state of their shares. */
  list(filter: ReportFilter): Promise<Page<Report>>
  /**
   * Closes an open report with the decision's reason as its note, and records it for the audit log, in one step; `null` for an
   * unknown id. A closed one stays as it is.
   */
  resolve(id: ReportId, decision: OperatorDecision): Promise<Report | null>
  /** Deletes up to `limit` reports that are no longer kept (`reportDays`); returns how many. */
  deleteOld(limit: number): Promise<number>
}

/** What operators see of shares, and do to them. Each change records its audit entry in the same step. */
export interface ModerationStore {
  /** A share in any state, or `null`. */
  find(id: ShareId): Promise<ModeratedShare | null>
  /**
   * Disables or enables a share, and adds an event for its owner to the outbox; `null` for an unknown id. Does
   * nothing if it already is.
   * @throws DomainError `share_data_deleted` if its data was deleted because it was disabled for too long.
   */
  setDisabled(id: ShareId, disabled: boolean, decision: OperatorDecision): Promise<ModeratedShare | null>
  /** Hides or shows an owner's shares, unless this or a later version is known. */
  setSuspended(ownerId: OwnerId, suspended: boolean, version: number): Promise<void>
  /**
   * Deletes the data of up to `limit` shares that were disabled `disabledDataDays` ago, leaving tombstones, and adds an
   * event for each to the outbox; returns how many.
   */
  purgeDisabled(limit: number): Promise<number>
  queues(): Promise<readonly QueueState[]>
}
