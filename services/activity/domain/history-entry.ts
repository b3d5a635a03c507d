import { DomainError, type FieldError, validationFailed } from '#libs/core/domain-error.js'
import { textErrors, toolErrors } from '#libs/core/field-rules.js'
import { type EntryId, entryId, type OwnerId, ownerId } from './ids.js'

/** What an owner did with a tool, at one moment. */
export interface HistoryEntry {
  readonly id: EntryId
  readonly ownerId: OwnerId
  readonly tool: string
  readonly action: string | null
  readonly title: string | null
  /** The text of a JSON object, as it was sent. */
  readonly metadata: string | null
  readonly createdAt: Date
}

/** An entry that is to be recorded; the store's clock gives it its time. */
export type EntryDraft = Omit<HistoryEntry, 'createdAt'>

const actionMax = 64
const titleMax = 200
const metadataBytesMax = 16_384

function metadataErrors(metadata: string | null): FieldError[] {
  if (metadata === null || new TextEncoder().encode(metadata).length <= metadataBytesMax) return []
  const detail = `metadata must be at most ${metadataBytesMax} bytes.`
  return [{ pointer: '/metadata', code: 'too_long', detail }]
}

/**
 * Checks the name of a tool.
 * @throws DomainError `validation_failed`.
 */
export function checkTool(tool: string): void {
  const errors = toolErrors(tool)
  if (errors.length > 0) throw validationFailed(errors)
}

/**
 * A draft whose fields are in order.
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
 * When an entry is recorded: now, but after the owner's newest, so that no two have the same time, and after a lapse, so
 * that it is not taken for one from before.
 */
export function nextTime(now: Date, newest: Date | null, lapsedAt: Date | null): Date {
  const before = Math.max(newest?.getTime() ?? 0, lapsedAt?.getTime() ?? 0)
  return before < now.getTime() ? now : new Date(before + 1)
}

/** An entry as text, for the response that an idempotency key keeps. */
export function entryToText(entry: HistoryEntry): string {
  return JSON.stringify(entry)
}

/** The entry that `entryToText` wrote. */
export function entryFromText(text: string): HistoryEntry {
  const kept = JSON.parse(text) as HistoryEntry & { createdAt: string }
  return {
    ...kept,
    id: entryId(kept.id),
    ownerId: ownerId(kept.ownerId),
    createdAt: new Date(kept.createdAt),
  }
}

/** 404: there is no such entry, or none that its owner can see. */
export function entryNotFound(): DomainError {
  return new DomainError('not-found', 'not_found', 'This history entry does not exist.')
}
