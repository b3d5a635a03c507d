import { randomUUID } from 'node:crypto'
import { callUnary } from '#libs/grpc/call.js'
import { clientOptions } from '#libs/grpc/client-options.js'
import type { Transport } from '#libs/grpc/transport.js'
import type { Logger } from '#libs/log/logger.js'
import { queueWorker } from '#libs/runtime/queue-worker.js'
import { OperatorServiceClient } from '#proto/snipkeep/identity/v1/operator_service.js'
import type { AuditOutbox } from '../core/audit-entry.js'
import { entryMessage } from './audit-messages.js'

/** How often the outbox is polled, in milliseconds; entries of this process are delivered at once. */
const intervalMs = 1_000
const timeoutMs = 3_000
/** Longer than a delivery can take, so that only a dead process loses its entries to another. */
const leaseMs = 15_000
const atOnce = 8

/** Identity records each entry once. */
const retryable = { 'snipkeep.identity.v1.OperatorService': ['RecordAuditEntry'] }

/** The delivery of a service's entries to identity. */
export interface AuditDelivery {
  /** Looks for entries at once. */
  wake(): void
  stop(): Promise<void>
}

/** Delivers entries to identity's audit log, at least once; none is ever dropped. */
export function startAuditDelivery(
  outbox: AuditOutbox,
  { target, transport }: { readonly target: string; readonly transport: Transport },
  log: Logger,
): AuditDelivery {
  const credentials = transport.channelCredentials('identity')
  const client = new OperatorServiceClient(target, credentials, clientOptions(retryable))
  const worker = queueWorker('audit_entries', intervalMs, log, {
    claim: () => outbox.claim(atOnce, leaseMs),
    async work(entry) {
      const context = { requestId: randomUUID(), timeoutMs }
      try {
        await callUnary(client, client.recordAuditEntry, { entry: entryMessage(entry) }, context)
      } catch (error) {
        await outbox.postpone(entry)
        log.warn(
          { event: 'audit_delivery_postponed', err: error, entry_id: entry.id, action: entry.action },
          'audit entry not delivered; will retry',
        )
        return
      }
      await outbox.finish(entry)
    },
  })
  return {
    wake: worker.wake,
    async stop() {
      await worker.stop()
      client.close()
    },
  }
}
