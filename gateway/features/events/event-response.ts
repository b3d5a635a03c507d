import type { Event } from '#proto/snipkeep/identity/v1/event_service.js'

export function eventResponse(event: Event): Record<string, unknown> {
  const { id, type, createdAt, principalKind, principalId, subjectKind, subjectId, detail } = event
  if (createdAt === undefined) throw new Error('identity returned an event without a time')
  return {
    id,
    type,
    created_at: createdAt.toISOString(),
    principal: { kind: principalKind, id: principalId ?? null },
    subject: { kind: subjectKind, id: subjectId },
    detail: JSON.parse(detail),
  }
}
