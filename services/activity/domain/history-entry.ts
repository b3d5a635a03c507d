import { DomainError, type FieldError, validationFailed } from '#libs/core/domain-error.js'
import { textErrors, toolErrors } from '#libs/core/field-rules.js'
import { type EntryId, entryId, type OwnerId, ownerId } from './ids.js'

/** An action of an owner with a tool, at one moment. */
export interface HistoryEntry {
  readonly id: EntryId
  readonly ownerId: OwnerId
  readonly tool: string
  readonly action: string | null
  readonly title: string | null
  /** A JSON object, as it was sent. */
  readonly metadata: string | null
  readonly createdAt: Date
}

/** A new entry; the store's clock sets its time. */
export type EntryDraft = Omit<HistoryEntry, 'createdAt'>

const actionMax = 64
const titleMax = 200
const metadataBytesMax = 16_384

function metadataErrors(metadata: string | null): FieldError[] {
  if (metadata === null || new TextEncoder().encode(metadata).length <= metadataBytesMax) return []
  const detail = `metadata must be at most ${metadataBytesMax} bytes.`
  return [{ pointer: '/metadata', code: 'too_long', detail }]
}

/** @throws DomainError `validation_failed`. */
export function checkTool(tool: string): void {
  const errors = toolErrors(tool)
  if (errors.length > 0) throw validationFailed(errors)
}

/**
 * A valid draft.
 * @throws DomainError `validation_failed` that lists every problem.
 */
export function draftEntry(draft: EntryDraft): EntryDraft {
  const errors = [
    ...toolErrors(draft.tool),
    ...(draft.action === null ? [] : textErrors('/action', draft.action, actionMax)),
    ...(draft.title === null ? [] : textErrors('/title', draft.title, titleMax)),
    ...metadataErrors(draft.metadata),
  ]
  if (errors.length > 0) throw validationFailed(errors)
  return draft
}

/**
 * The time of a new entry: now, but after the owner's newest, so that all times differ, and after a lapse, so that it
 * does not count as earlier.
 */
export function nextTime(now: Date, newest: Date | null, lapsedAt: Date | null): Date {
  const before = Math.max(newest?.getTime() ?? 0, lapsedAt?.getTime() ?? 0)
  return before < now.getTime() ? now : new Date(before + 1)
}

/** For the stored response of an idempotency key. */
export function entryToText(entry: HistoryEntry): string {
  return JSON.stringify(entry)
}

/** The inverse of `entryToText`. */
export function entryFromText(text: string): HistoryEntry {
  const kept = JSON.parse(text) as HistoryEntry & { createdAt: string }
  return {
    ...kept,
    id: entryId(kept.id),
    ownerId: ownerId(kept.ownerId),
    createdAt: new Date(kept.createdAt),
  }
}

/** 404: the entry does not exist, or its owner cannot see it. */
export function entryNotFound(): DomainError {
  return new DomainError('not-found', 'not_found', 'This history entry does not exist.')
}

/** A retryable request. */
export interface IdempotentRequest {
  /** As its owner sent it. */
  readonly key: string
  /** Distinguishes the request from others with the same key. */
  readonly fingerprint: string
}
