import { randomUUID } from 'node:crypto'
import { callUnary } from '#libs/grpc/call.js'
import { clientOptions } from '#libs/grpc/client-options.js'
import type { Transport } from '#libs/grpc/transport.js'
import { EventServiceClient, type RecordedEvent } from '#proto/snipkeep/identity/v1/event_service.js'
import type { ContentEvent } from '../domain/content-event.js'
import type { EventRecorder } from '../ports.js'

const timeoutMs = 3_000

/** Idempotent, so it may be retried. */
const retryable = { 'snipkeep.identity.v1.EventService': ['RecordEvents'] }

function message(event: ContentEvent): RecordedEvent {
  const { ownerId, id, type, principal, subject, detail, createdAt } = event
  return {
    accountId: ownerId,
    event: {
      id,
      type,
      principalKind: principal.kind,
      principalId: principal.id ?? undefined,
      subjectKind: subject.kind,
      subjectId: subject.id,
      detail: JSON.stringify(detail),
      createdAt,
    },
  }
}

/** Sends events to identity over gRPC. */
export function grpcEventRecorder(
  target: string,
  transport: Transport,
): EventRecorder & { readonly close: () => void } {
  const credentials = transport.channelCredentials('identity')
  const client = new EventServiceClient(target, credentials, clientOptions(retryable))
  return {
    async record(events) {
      const context = { requestId: randomUUID(), timeoutMs }
      await callUnary(client, client.recordEvents, { events: events.map(message) }, context)
    },
    close: () => client.close(),
  }
}
