import type { Branded } from '#libs/core/branded.js'
import { DomainError, type FieldError, invalidField, validationFailed } from '#libs/core/domain-error.js'
import type { ListPosition } from '#libs/core/page.js'
import type { OwnerId, ShareId } from './ids.js'

/** The internal id of a report; opaque. */
export type ReportId = Branded<string, 'ReportId'>

/** A report id from storage or from another process. */
export function reportId(text: string): ReportId {
  return text as ReportId
}

/** What is wrong with a share. */
const reportReasons = [
  'malware',
  'phishing',
  'personal_data',
  'secret',
  'copyright',
  'illegal',
  'other',
] as const
export type ReportReason = (typeof reportReasons)[number]

/** The most reports of a share that are stored; more add nothing that an operator could read. */
export const reportsPerShareMax = 100

/** How many days reports are kept: closed ones after they were closed, open ones after they were last repeated. */
export const reportDays = { resolved: 180, open: 365 } as const

const messageMax = 1_000
const emailMax = 320
const digestBytes = 32

/** A report to store. */
export interface ReportDraft {
  readonly shareId: ShareId
  readonly reason: ReportReason
  /** May be empty. */
  readonly message: string
  /** May be empty. */
  readonly email: string
  /** A keyed digest of the reporter's address, which itself is never stored. */
  readonly reporter: Uint8Array
}

/** The state of a reported share now. */
export type ReportedState = 'live' | 'expired' | 'disabled' | 'deleted'

/** A stored report. */
export interface Report {
  readonly id: ReportId
  readonly shareId: ShareId
  readonly reason: ReportReason
  readonly message: string
  readonly email: string
  readonly createdAt: Date
  /** When the reporter last repeated it. */
  readonly updatedAt: Date
  /** How often the reporter sent it. */
  readonly times: number
  /** `null` while it is open. */
  readonly resolvedAt: Date | null
  /** What an operator decided; empty while it is open. */
  readonly note: string
  readonly ownerId: OwnerId
  /** Empty if the share is deleted. */
  readonly shareTitle: string
  readonly shareState: ReportedState
}

/** The filter and page of a list of reports. */
export interface ReportFilter {
  readonly state: 'open' | 'resolved' | 'all'
  readonly reason: ReportReason | null
  readonly shareId: ShareId | null
  readonly after: ListPosition | null
  readonly itemsMax: number
}

function isReason(text: string): text is ReportReason {
  return (reportReasons as readonly string[]).includes(text)
}

/** @throws DomainError `validation_failed` for an unknown reason. */
export function reportReason(text: string): ReportReason {
  if (isReason(text)) return text
  throw invalidField('/reason', 'invalid_value', `reason must be one of ${reportReasons.join(', ')}.`)
}

/** Control characters except line breaks and tabs, which a message may have. */
const forbidden = /[^\P{Cc}\n\r\t]|\p{Cs}/u

/**
 * A valid draft.
 * @throws DomainError `validation_failed` that lists every problem.
 */
export function draftReport(draft: Omit<ReportDraft, 'reason'> & { readonly reason: string }): ReportDraft {
  const { message, email, reporter } = draft
  const errors: FieldError[] = []
  const tooLong = (name: string, max: number): FieldError => ({
    ...{ pointer: `/${name}`, code: 'too_long', detail: `${name} must be at most ${max} characters.` },
  })
  if ([...message].length > messageMax) errors.push(tooLong('message', messageMax))
  if (email.length > emailMax) errors.push(tooLong('email', emailMax))
  for (const [name, text] of Object.entries({ message, email }))
    if (forbidden.test(text)) {
      const detail = `${name} must not contain control characters.`
      errors.push({ pointer: `/${name}`, code: 'invalid_characters', detail })
    }
  if (errors.length > 0) throw validationFailed(errors)
  if (reporter.length !== digestBytes) throw new Error('a report came without the digest of its reporter')
  return { ...draft, reason: reportReason(draft.reason) }
}

/** 404: the report does not exist, or is no longer kept. */
export function reportNotFound(): DomainError {
  return new DomainError('not-found', 'not_found', 'This report does not exist.')
}
