import { afterEach, beforeEach, expect, it } from 'vitest'
import { callUnary } from '#libs/grpc/call.js'
import { grpcHandlers } from '#libs/grpc/handler.js'
import type { RunningServer } from '#libs/grpc/server.js'
import { plainTransport } from '#libs/grpc/transport.js'
import { createLogger } from '#libs/log/logger.js'
import { startPlainServer } from '#libs/testing/plain-grpc-server.js'
import { type Event, EventServiceClient } from '#proto/snipkeep/identity/v1/event_service.js'
import { newIdentity } from '../domain/account.js'
import { memoryIdentity } from '../testing/memory-identity.js'
import { grpcEvents } from './grpc-events.js'

const context = { requestId: 'r', timeoutMs: 20_000 }
const profile = { email: null, emailVerified: false, name: null, picture: null }

let server: RunningServer
let client: EventServiceClient
let accountId: string

beforeEach(async () => {
  const { ports } = memoryIdentity()
  const identity = newIdentity('https://issuer.example', 'ann')
  accountId = (await ports.accounts.upsert(ports.ids.account(), identity, profile, null)).id
  const handlers = grpcHandlers(createLogger('test', 'silent'))
  server = await startPlainServer([grpcEvents(handlers, ports, { free: 30, pro: 90 })])
  const credentials = plainTransport.channelCredentials('identity')
  client = new EventServiceClient(`127.0.0.1:${server.port}`, credentials)
})
afterEach(async () => {
  client.close()
  await server.stop()
})

const created: Event = {
  id: 's1-created',
  type: 'share.created',
  principalKind: 'api_key',
  principalId: 'k1',
  subjectKind: 'share',
  subjectId: 's1',
  detail: '{"title":"Report","views":3,"expires_at":null}',
  createdAt: new Date(Date.UTC(2029, 11, 31)),
}
const record = (...all: Partial<Event>[]) => {
  const events = all.map((fields) => ({ accountId, event: { ...created, ...fields } }))
  return callUnary(client, client.recordEvents, { events }, context)
}
const list = async (): Promise<readonly Event[]> => {
  const filter = { accountId, type: '', subject: '', pageSize: 100, cursor: '' }
  return (await callUnary(client, client.listEvents, filter, context)).events
}

it('events of other services are listed unchanged, each once', async () => {
  await record({}, { id: 's1-expired', type: 'share.expired', principalKind: 'system' })
  await record({})
  const events = await list()
  expect(events).toHaveLength(2)
  const found = events.find(({ id }) => id === created.id)
  expect({ ...found, detail: JSON.parse(found?.detail ?? '') }).toEqual({
    ...created,
    detail: { title: 'Report', views: 3, expires_at: null },
  })
})

it.each(['check.broke', 'check.approved', 'check.rejected'])('%s is listed, too', async (type) => {
  await record({ type, subjectKind: 'snippet' })
  expect(await list()).toMatchObject([{ type }])
})

it.each<[string, Partial<Event>]>([
  ['of a key', { type: 'key.revoked' }],
  ['of a rule', { type: 'trust.created' }],
  ['of no group', { type: 'share' }],
  ['by whoever held a key', { principalKind: 'key_holder' }],
  ['about a key', { subjectKind: 'api_key' }],
  ['with an id that is none', { id: 'a b' }],
  ['with a detail that is no object', { detail: '[1]' }],
  ['with a detail inside a detail', { detail: '{"a":{}}' }],
  ['with a detail above 2 KiB', { detail: JSON.stringify({ title: 'x'.repeat(2_048) }) }],
  ['without a time', { createdAt: undefined }],
])('an event %s is refused with all of its batch', async (_name, fields) => {
  await expect(record({}, { id: 's2', ...fields })).rejects.toMatchObject({ code: 'validation_failed' })
  expect(await list()).toEqual([])
})

it('a batch above a hundred is refused', async () => {
  const many = Array.from({ length: 101 }, (_none, n) => ({ id: `s${n}` }))
  await expect(record(...many)).rejects.toMatchObject({ code: 'validation_failed' })
})
