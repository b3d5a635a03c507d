import type { CallersOf } from '#libs/grpc/allowed-callers.js'
import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import { cursorOf, itemsMax, positionOf } from '#libs/paging/list-position.js'
import {
  type AccountRecord as AccountRecordMessage,
  type OperatorServiceServer,
  OperatorServiceService,
} from '#proto/snipkeep/identity/v1/operator_service.js'
import { decisionOf, entryMessage, entryOf, queueMessage } from '#shared/operator/audit-messages.js'
import { type AccountRecord, accountId, accountNotFound } from '../domain/account.js'
import type { IdentityPorts } from '../ports.js'
import { accountMessage } from './grpc-messages.js'

/** Several accounts may have one e-mail address. */
const foundMax = 20
const closingMax = 100

function recordMessage(record: AccountRecord): AccountRecordMessage {
  const { account, identity, signedInAt, suspensionReason, suspensionVersion, apiKeys } = record
  return {
    account: accountMessage(account),
    issuer: identity.issuer,
    subject: identity.subject,
    signedInAt,
    suspendedAt: account.suspendedAt ?? undefined,
    suspensionReason: suspensionReason ?? '',
    suspensionVersion,
    apiKeys,
  }
}

const callers: CallersOf<typeof OperatorServiceService> = {
  each: ['gateway'],
  recordAuditEntry: ['content', 'billing'],
}

/** `OperatorService` over gRPC. */
export function grpcOperators(
  { unary }: Pick<Handlers, 'unary'>,
  {
    operatorAccounts: accounts,
    auditLog,
    erasures,
    invalidation,
  }: Pick<IdentityPorts, 'operatorAccounts' | 'auditLog' | 'erasures' | 'invalidation'>,
): BoundService {
  const handlers: OperatorServiceServer = {
    searchAccounts: unary(async ({ text }) => ({
      accounts: (await accounts.search(text, foundMax)).map(recordMessage),
    })),
    setSuspended: unary(async ({ accountId: text, suspended, decision: given }) => {
      const [id, decision] = [accountId(text), decisionOf(given)]
      const record = await (suspended ? accounts.suspend(id, decision) : accounts.resume(id, decision))
      if (record === null) throw accountNotFound()
      await invalidation.invalidate(id)
      return { account: recordMessage(record) }
    }),
    listActs: unary(async ({ accountId: account, subjectId, pageSize, cursor }) => {
      const { items, next } = await auditLog.list({
        accountId: account === '' ? null : account,
        subjectId: subjectId === '' ? null : subjectId,
        after: positionOf(cursor),
        itemsMax: itemsMax(pageSize),
      })
      return { acts: items.map(entryMessage), nextCursor: cursorOf(next) }
    }),
    recordAuditEntry: unary(async ({ entry }) => {
      await auditLog.record(entryOf(entry))
      return {}
    }),
    listClosing: unary(async () => ({ accounts: (await erasures.closing(closingMax)).map(recordMessage) })),
    listQueues: unary(async () => ({ queues: [queueMessage(await erasures.queue())] })),
  }
  return { definition: OperatorServiceService, handlers, callers }
}
