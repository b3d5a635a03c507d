import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readVariables } from '#libs/config/read-variables.js'
import { type CallContext, callUnary } from '#libs/grpc/call.js'
import { grpcHandlers } from '#libs/grpc/handler.js'
import type { RunningServer } from '#libs/grpc/server.js'
import { plainTransport } from '#libs/grpc/transport.js'
import { createLogger } from '#libs/log/logger.js'
import { startPlainServer } from '#libs/testing/plain-grpc-server.js'
import { wholeMessage } from '#libs/testing/whole-message.js'
import {
  HistoryServiceClient,
  ListEntriesRequest,
  RecordEntryRequest,
  type RecordEntryResponse,
} from '#proto/snipkeep/activity/v1/history_service.js'
import { Plan } from '#proto/snipkeep/plan/v1/plan.js'
import { planCatalogue, planVariables } from '#shared/config/plan-variables.js'
import { memoryFixture } from '../testing/memory-fixture.js'
import { grpcHistory } from './grpc-history.js'
import { nodeHashing, randomEntryIds } from './node-crypto.js'

const context: CallContext = { requestId: 'test', timeoutMs: 10_000 }
const { PLAN_FREE: free, PLAN_PRO: pro } = Plan

let server: RunningServer
let client: HistoryServiceClient
beforeEach(async () => {
  const ports = { history: memoryFixture().history, ids: randomEntryIds, hashing: nodeHashing }
  const plans = planCatalogue(readVariables(planVariables, {}))
  const handlers = grpcHandlers(createLogger('test', 'silent'))
  server = await startPlainServer([grpcHistory(handlers, ports, plans)])
  client = new HistoryServiceClient(`127.0.0.1:${server.port}`, plainTransport.channelCredentials('activity'))
})
afterEach(async () => {
  client.close()
  await server.stop()
})

function record(request: Partial<RecordEntryRequest> = {}): Promise<RecordEntryResponse> {
  const full = wholeMessage(RecordEntryRequest, { ownerId: 'ann', plan: pro, tool: 'csv', ...request })
  return callUnary(client, client.recordEntry, full, context)
}

const list = (request: Partial<ListEntriesRequest> = {}) =>
  callUnary(
    client,
    client.listEntries,
    wholeMessage(ListEntriesRequest, { ownerId: 'ann', plan: pro, pageSize: 100, ...request }),
    context,
  )
const one = (id: string, ownerId = 'ann', plan: Plan = pro) => ({ ownerId, plan, id })

describe('the history service', () => {
  it('records an entry, and returns it by id, in lists and in the count', async () => {
    const metadata = Buffer.from('{"a": 1.0}')
    const { entry, replayed } = await record({ action: 'convert', title: 'Team', metadata })
    expect(replayed).toBe(false)
    expect(entry).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      tool: 'csv',
      action: 'convert',
      title: 'Team',
      metadata,
      createdAt: expect.any(Date),
    })
    const { id = '' } = entry ?? {}
    expect(await callUnary(client, client.getEntry, one(id), context)).toEqual({ entry })
    expect(await list()).toEqual({ entries: [entry], nextCursor: '' })
    expect(await callUnary(client, client.countEntries, { ownerId: 'ann', plan: pro }, context)).toEqual({
      entries: 1,
    })
  })

  it('shows a Free owner only the newest 20 of the entries recorded on Pro', async () => {
    for (let n = 0; n < 25; n += 1) await record({ planVersion: 1 })
    await callUnary(client, client.setPlan, { ownerId: 'ann', plan: free, version: 2 }, context)
    const all = (await list()).entries
    expect(all).toHaveLength(25)
    expect((await list({ plan: free })).entries).toEqual(all.slice(0, 20))
    expect(await callUnary(client, client.countEntries, { ownerId: 'ann', plan: free }, context)).toEqual({
      entries: 20,
    })
    const hidden = one(all[20]?.id ?? '', 'ann', free)
    await expect(callUnary(client, client.getEntry, hidden, context)).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(callUnary(client, client.deleteEntry, hidden, context)).rejects.toMatchObject({
      code: 'not_found',
    })
    const cleared = await callUnary(client, client.deleteEntries, { ownerId: 'ann', tool: '' }, context)
    expect(cleared).toEqual({ deleted: 25 })
  })

  it('hides entries from other owners, and tells them apart from missing ones', async () => {
    const { id = '' } = (await record()).entry ?? {}
    for (const call of [client.getEntry, client.deleteEntry] as const) {
      const method = call as typeof client.deleteEntry
      await expect(callUnary(client, method, one(id, 'bob'), context)).rejects.toMatchObject({
        kind: 'forbidden',
        code: 'not_owner',
      })
      await expect(callUnary(client, method, one('nothing'), context)).rejects.toMatchObject({
        kind: 'not-found',
      })
    }
    expect((await list({ ownerId: 'bob' })).entries).toEqual([])
  })

  it('replays the response of a repeated request, and rejects its key for another', async () => {
    const first = await record({ idempotencyKey: 'k', title: 'A' })
    expect(await record({ idempotencyKey: 'k', title: 'A' })).toEqual({ ...first, replayed: true })
    await expect(record({ idempotencyKey: 'k', title: 'B' })).rejects.toMatchObject({
      kind: 'conflict',
      code: 'idempotency_key_reused',
    })
  })

  it('pages by its own cursors, and rejects any other', async () => {
    for (let n = 0; n < 5; n += 1) await record()
    const first = await list({ pageSize: 3 })
    const second = await list({ pageSize: 3, cursor: first.nextCursor })
    expect([...first.entries, ...second.entries]).toEqual((await list()).entries)
    expect(second.nextCursor).toBe('')
    await expect(list({ cursor: 'broken' })).rejects.toMatchObject({ code: 'invalid_cursor' })
  })

  it('rejects invalid requests, naming each problem', async () => {
    await expect(record({ tool: '-', action: '' })).rejects.toMatchObject({
      details: { errors: [{ pointer: '/tool' }, { pointer: '/action' }] },
    })
    for (const bad of [
      record({ plan: Plan.PLAN_UNSPECIFIED }),
      record({ ownerId: '' }),
      record({ idempotencyKey: 'ü' }),
      record({ metadata: Buffer.from([0x7b, 0xff, 0x7d]) }),
      record({ metadata: Buffer.from('{"\u0000":1}') }),
      list({ tool: 'no tool' }),
    ]) {
      await expect(bad).rejects.toMatchObject({ code: 'validation_failed' })
    }
  })
})
