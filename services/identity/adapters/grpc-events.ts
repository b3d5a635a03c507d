import { invalidField } from '#libs/core/domain-error.js'
import { readMembers } from '#libs/core/read-json.js'
import type { CallersOf } from '#libs/grpc/allowed-callers.js'
import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import { cursorOf, itemsMax, positionOf } from '#libs/paging/list-position.js'
import {
  type Event as EventMessage,
  type EventServiceServer,
  EventServiceService,
  type RecordedEvent as RecordedEventMessage,
} from '#proto/snipkeep/identity/v1/event_service.js'
import { accountId } from '../domain/account.js'
import type { AccountEvent, EventDays, EventPrincipal, EventSubject } from '../domain/account-event.js'
import { checkRecordedEvent, type RecordedEvent } from '../domain/recorded-event.js'
import type { IdentityPorts } from '../ports.js'

function eventMessage({ id, type, principal, subject, detail, createdAt }: AccountEvent): EventMessage {
  return {
    id,
    type,
    principalKind: principal.kind,
    principalId: principal.id ?? undefined,
    subjectKind: subject.kind,
    subjectId: subject.id,
    detail: JSON.stringify(detail),
    createdAt,
  }
}

const principals: readonly string[] = [
  'owner',
  'api_key',
  'ci_job',
  'anyone',
  'operator',
  'system',
] satisfies readonly EventPrincipal['kind'][]
const subjects: readonly string[] = ['share', 'snippet', 'account'] satisfies readonly EventSubject['kind'][]

function isPrincipal(kind: string): kind is EventPrincipal['kind'] {
  return principals.includes(kind)
}

function isSubject(kind: string): kind is EventSubject['kind'] {
  return subjects.includes(kind)
}

function recordedEvent({ accountId: owner, event }: RecordedEventMessage): RecordedEvent {
  const { id = '', type = '', principalKind = '', principalId, subjectKind = '' } = event ?? {}
  const detail = readMembers(event?.detail ?? '') as RecordedEvent['detail'] | null
  const createdAt = event?.createdAt
  if (!isPrincipal(principalKind) || !isSubject(subjectKind) || detail === null || createdAt === undefined) {
    const words =
      'an event must have a known principal and subject, a detail that is a JSON object, and a time.'
    throw invalidField('/events', 'invalid', words)
  }
  return checkRecordedEvent({
    ...{ accountId: accountId(owner), id, type, detail, createdAt },
    principal: { kind: principalKind, id: principalId ?? null },
    subject: { kind: subjectKind, id: event?.subjectId ?? '' },
  })
}

const recordedMax = 100

const callers: CallersOf<typeof EventServiceService> = {
  listEvents: ['gateway'],
  recordEvents: ['content', 'gateway'],
}

export function grpcEvents(
  { unary }: Pick<Handlers, 'unary'>,
  { events }: Pick<IdentityPorts, 'events'>,
  days: EventDays,
): BoundService {
  const handlers: EventServiceServer = {
    listEvents: unary(async ({ accountId: owner, type, subject, pageSize, cursor }) => {
      const { items, next } = await events.list({
        accountId: accountId(owner),
        type: type === '' ? null : type,
        subject: subject === '' ? null : subject,
        after: positionOf(cursor),
        itemsMax: itemsMax(pageSize),
        days,
      })
      return { events: items.map(eventMessage), nextCursor: cursorOf(next) }
    }),
    recordEvents: unary(async ({ events: given }) => {
      if (given.length > recordedMax)
        throw invalidField('/events', 'too_many', `events must have at most ${recordedMax} items.`)
      await events.record(given.map(recordedEvent))
      return {}
    }),
  }
  return { definition: EventServiceService, handlers, callers }
}
