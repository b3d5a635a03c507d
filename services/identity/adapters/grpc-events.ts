import type { CallersOf } from '#libs/grpc/allowed-callers.js'
import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import { cursorOf, itemsMax, positionOf } from '#libs/paging/list-position.js'
import {
  type Event as EventMessage,
  type EventServiceServer,
  EventServiceService,
} from '#proto/snipkeep/identity/v1/event_service.js'
import { accountId } from '../domain/account.js'
import type { AccountEvent, EventDays } from '../domain/account-event.js'
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

const callers: CallersOf<typeof EventServiceService> = {
  listEvents: ['gateway'],
}

/** `EventService` over gRPC. */
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
  }
  return { definition: EventServiceService, handlers: { ...handlers }, callers }
}
