import { validationFailed } from '#libs/core/domain-error.js'
import type { EventDraft } from './account-event.js'

/** What happened in another service, which gives it an id and knows when it was. */
export type RecordedEvent = EventDraft & { readonly id: string; readonly createdAt: Date }

/** The types that other services may record; events of keys and rules are identity's own. */
const typePattern = /^(share|snippet|check|limit|export|import)\.[a-z_]{1,32}$/
const idPattern = /^[A-Za-z0-9_-]{1,64}$/
const detailBytesMax = 2_048

/**
 * An event of another service that may be recorded.
 * @throws DomainError `validation_failed`.
 */
export function checkRecordedEvent(event: RecordedEvent): RecordedEvent {
  const { accountId, id, type, principal, subject, detail, createdAt } = event
  const ids = [id, accountId, subject.id, ...(principal.id === null ? [] : [principal.id])]
  const isSimple = (value: unknown): boolean =>
    value === null || typeof value === 'string' || typeof value === 'number'
  const problems = [
    ...(typePattern.test(type) ? [] : ['type']),
    ...(ids.every((one) => idPattern.test(one)) ? [] : ['id']),
    ...(Object.values(detail).every(isSimple) ? [] : ['detail']),
    ...(new TextEncoder().encode(JSON.stringify(detail)).length <= detailBytesMax ? [] : ['detail']),
    ...(Number.isNaN(createdAt.getTime()) ? ['created_at'] : []),
  ]
  if (problems.length === 0) return event
  const errors = [...new Set(problems)].map((name) => ({
    ...{ pointer: `/${name}`, code: 'invalid', detail: `${name} of an event is not valid.` },
  }))
  throw validationFailed(errors)
}
