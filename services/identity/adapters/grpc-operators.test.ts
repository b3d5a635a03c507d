import { afterEach, beforeEach, expect, it } from 'vitest'
import { callUnary } from '#libs/grpc/call.js'
import { grpcHandlers } from '#libs/grpc/handler.js'
import type { RunningServer } from '#libs/grpc/server.js'
import { plainTransport } from '#libs/grpc/transport.js'
import { createLogger } from '#libs/log/logger.js'
import { startPlainServer } from '#libs/testing/plain-grpc-server.js'
import { OperatorServiceClient } from '#proto/snipkeep/identity/v1/operator_service.js'
import type { Act } from '#proto/snipkeep/operator/v1/operator.js'
import { decidedAtTerminal } from '#shared/core/audit-entry.js'
import { type AuditDelivery, startAuditDelivery } from '#shared/operator/start-audit-delivery.js'
import { type MemoryAuditOutbox, memoryAuditOutbox } from '#shared/testing/memory-audit-log.js'
import type { IdentityPorts } from '../ports.js'
import { memoryIdentity } from '../testing/memory-identity.js'
import { grpcOperators } from './grpc-operators.js'

const log = createLogger('test', 'silent')

let ports: IdentityPorts
let server: RunningServer
let client: OperatorServiceClient
let outbox: MemoryAuditOutbox
let delivery: AuditDelivery

beforeEach(async () => {
  ports = memoryIdentity().ports
  server = await startPlainServer([grpcOperators(grpcHandlers(log), ports)])
  const target = `127.0.0.1:${server.port}`
  client = new OperatorServiceClient(target, plainTransport.channelCredentials('identity'))
  outbox = memoryAuditOutbox(() => new Date(), 'content')
  delivery = startAuditDelivery(outbox, { target, transport: plainTransport }, log)
})
afterEach(async () => {
  await delivery.stop()
  client.close()
  await server.stop()
})

const draft = {
  action: 'share.disabled',
  subject: { kind: 'share', id: 'a-share' },
  accountId: 'ann',
  detail: { title: 'A "title"', views: 3, until: null },
} as const
const why = { ...decidedAtTerminal('spam'), operatorName: 'op@example.com', message: 'Sorry.' }

const list = async () =>
  (await ports.auditLog.list({ accountId: null, subjectId: null, after: null, itemsMax: 100 })).items

it('what a service wrote down is listed as it was, and leaves its outbox', async () => {
  const id = outbox.record(draft, why)
  const [waiting] = outbox.waiting()
  delivery.wake()
  await expect.poll(() => outbox.waiting(), { timeout: 20_000 }).toEqual([])
  expect(await list()).toEqual([waiting?.entry])
  const filter = { accountId: 'ann', subjectId: 'a-share', pageSize: 10, cursor: '' }
  const { acts, nextCursor } = await callUnary(client, client.listActs, filter, {
    requestId: 'r',
    timeoutMs: 20_000,
  })
  expect(acts).toMatchObject([{ id, action: 'share.disabled', subjectKind: 'share', message: 'Sorry.' }])
  expect([JSON.parse(acts[0]?.detail ?? ''), nextCursor]).toEqual([draft.detail, ''])
})

it('an entry that identity refuses is kept and tried again, and keeps no other back', async () => {
  const refused = outbox.record(draft, { ...why, operatorId: '' })
  for (let n = 0; n < 20; n += 1) outbox.record(draft, why)
  delivery.wake()
  await expect.poll(async () => (await list()).length, { timeout: 20_000 }).toBe(20)
  await expect
    .poll(() => outbox.waiting().map(({ entry }) => entry.id), { timeout: 20_000 })
    .toEqual([refused])
  await expect.poll(() => outbox.waiting()[0]?.attempts ?? 0, { timeout: 20_000 }).toBeGreaterThan(1)
})

const message: Act = {
  id: 'an-entry',
  action: 'share.disabled',
  operatorId: 'op',
  operatorName: '',
  subjectKind: 'share',
  subjectId: 'a-share',
  accountId: 'ann',
  reason: 'spam',
  message: '',
  detail: '{}',
  createdAt: new Date(),
}

it.each<[string, Partial<Act>]>([
  ['an id', { id: '' }],
  ['an action', { action: '' }],
  ['an operator', { operatorId: '' }],
  ['a known subject', { subjectKind: 'planet' }],
  ['a detail that is an object', { detail: '[]' }],
  ['a detail that is JSON', { detail: '{' }],
  ['a time', { createdAt: undefined }],
])('a message without %s is no entry', async (_what, fields) => {
  const request = { entry: { ...message, ...fields } }
  const recorded = callUnary(client, client.recordAuditEntry, request, { requestId: 'r', timeoutMs: 20_000 })
  await expect(recorded).rejects.toMatchObject({ code: 'validation_failed' })
  expect(await list()).toEqual([])
})
