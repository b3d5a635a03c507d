import type { Client } from '@grpc/grpc-js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callUnary } from '#libs/grpc/call.js'
import { grpcHandlers } from '#libs/grpc/handler.js'
import type { RunningServer } from '#libs/grpc/server.js'
import { plainTransport } from '#libs/grpc/transport.js'
import { createLogger } from '#libs/log/logger.js'
import { startPlainServer } from '#libs/testing/plain-grpc-server.js'
import {
  Accept,
  type Check,
  CheckServiceClient,
  CheckState,
  type CreateCheckRequest,
  type Judgement,
  Verdict,
} from '#proto/snipkeep/content/v1/check_service.js'
import { ContractServiceClient } from '#proto/snipkeep/content/v1/contract_service.js'
import { UsageServiceClient } from '#proto/snipkeep/content/v1/usage_service.js'
import { Plan } from '#proto/snipkeep/plan/v1/plan.js'
import { rulesBytesMax } from '#shared/core/contract-limits.js'
import { testPlanLimits } from '#shared/testing/plan-limits.js'
import { snippetId } from '../domain/ids.js'
import { ann, bob, inlineData, noCheck, snippetDraft } from '../testing/content-fixture.js'
import { type MemoryFixture, memoryFixture } from '../testing/memory-fixture.js'
import { countCorruption } from './document-stores.js'
import { grpcChecks } from './grpc-checks.js'
import { grpcContracts } from './grpc-contracts.js'
import { grpcUsage } from './grpc-owners.js'

const context = { requestId: 'r', timeoutMs: 20_000 }
const plan = Plan.PLAN_FREE
const by = { kind: 'owner', id: '', label: '' }

let fixture: MemoryFixture
let server: RunningServer
let checks: CheckServiceClient
let contracts: ContractServiceClient
let usage: UsageServiceClient
let clients: Client[]
let id: string

beforeEach(async () => {
  fixture = memoryFixture()
  const handlers = grpcHandlers(createLogger('test', 'silent'), countCorruption)
  const limits = { ...testPlanLimits, contracts: 1 }
  const plans = { free: limits, pro: limits }
  server = await startPlainServer([
    grpcChecks(handlers, fixture.ports, plans),
    grpcContracts(handlers, fixture.ports, plans),
    grpcUsage(handlers, fixture.ports),
  ])
  const target = `127.0.0.1:${server.port}`
  checks = new CheckServiceClient(target, plainTransport.channelCredentials('content'))
  contracts = new ContractServiceClient(target, plainTransport.channelCredentials('content'))
  usage = new UsageServiceClient(target, plainTransport.channelCredentials('content'))
  clients = [checks, contracts, usage]
  const draft = snippetDraft(fixture, { name: 'prices', data: inlineData(fixture, '{"a":1}') })
  await fixture.ports.snippets.add(draft, null, null)
  id = draft.id
})
afterEach(async () => {
  for (const client of clients) client.close()
  await server.stop()
})

const judgement: Judgement = {
  ...{ verdict: Verdict.VERDICT_BREAKS, as: 'json', breakCount: 1, allowedCount: 0, truncated: false },
  ...{ breaks: '[{"pointer":"/a","rule":"value","baseline":"1","candidate":"2"}]' },
  ...{ baselineVersion: 1, contractVersion: 0 },
}
const create = (fields: Partial<CreateCheckRequest> = {}) => {
  const data = { source: { $case: 'inline' as const, value: Buffer.from('{"a":2}') } }
  const none = {
    tool: '',
    title: '',
    idempotencyKey: '',
    source: '',
    baselineId: '',
    accept: Accept.ACCEPT_UNSPECIFIED,
  }
  const request = { ownerId: ann, plan, id: '@prices', data, judgement, principal: by, ...none, ...fields }
  return callUnary(checks, checks.createCheck, request, context)
}
const created = async (fields: Partial<CreateCheckRequest> = {}): Promise<Check> => {
  const { check } = await create(fields)
  if (check === undefined) throw new Error('no check')
  return check
}
const get = (check: string, ownerId: string = ann) =>
  callUnary(checks, checks.getCheck, { ownerId, id: check, includeData: true }, context)
const list = (of: string, state: CheckState = CheckState.CHECK_STATE_UNSPECIFIED, ownerId: string = ann) =>
  callUnary(checks, checks.listChecks, { ownerId, id: of, state, pageSize: 10, cursor: '' }, context)
const decide = (check: string, approve: boolean, note = '', ownerId: string = ann) =>
  callUnary(checks, checks.decideCheck, { ownerId, plan, id: check, approve, note, principal: by }, context)
const baseline = (of: string, ownerId: string = ann) =>
  callUnary(checks, checks.getBaseline, { ownerId, id: of }, context)
const put = (rules: string, fields: object = {}) => {
  const condition = { ifMatch: [], ifNoneMatch: false }
  const request = { ownerId: ann, plan, id: '@prices', rules, principal: by, ...condition, ...fields }
  return callUnary(contracts, contracts.putContract, request, context)
}

describe('contracts over gRPC', () => {
  it('are created, read, replaced, listed and deleted under their conditions', async () => {
    const key = { ownerId: ann, id: '@prices' }
    const missing = callUnary(contracts, contracts.getContract, key, context)
    await expect(missing).rejects.toMatchObject({
      code: 'not_found',
      message: 'This snippet has no contract.',
    })
    await expect(put('{}', { ifMatch: ['*'] })).rejects.toMatchObject({ code: 'precondition_failed' })
    const first = await put('{"a": 1.0}', { ifNoneMatch: true })
    expect(first).toMatchObject({
      created: true,
      contract: { snippetId: id, rules: '{"a": 1.0}', version: 1 },
    })
    const got = await callUnary(contracts, contracts.getContract, key, context)
    expect(got.contract).toEqual(first.contract)
    await expect(put('{}', { ifNoneMatch: true })).rejects.toMatchObject({ code: 'precondition_failed' })
    const second = await put('{}', { ifMatch: [first.contract?.etag ?? ''] })
    expect(second).toMatchObject({ created: false, contract: { version: 2, principal: by } })
    const page = { ownerId: ann, pageSize: 10, cursor: '' }
    const listed = await callUnary(contracts, contracts.listContracts, page, context)
    expect(listed).toEqual({ contracts: [{ ...second.contract, rules: '' }], nextCursor: '' })
    expect(await baseline('@prices')).toMatchObject({
      snippet: { id, revision: 1, data: { $case: 'inline', value: Buffer.from('{"a":1}') } },
      ...{ rules: '{}', contractVersion: 2 },
    })
    const remove = (ifMatch: string[]) =>
      callUnary(contracts, contracts.deleteContract, { ...key, ifMatch }, context)
    await expect(remove([first.contract?.etag ?? ''])).rejects.toMatchObject({ code: 'precondition_failed' })
    await remove([])
    await expect(remove([])).rejects.toMatchObject({ code: 'not_found' })
    expect(await baseline(id)).toMatchObject({ rules: '', contractVersion: 0 })
  })

  it('keep to the limit of the plan and of their size', async () => {
    const large = `{"${'ü'.repeat(rulesBytesMax / 2)}":1}`
    await expect(put(large)).rejects.toMatchObject({ code: 'contract_too_large' })
    await put('{}')
    const other = snippetDraft(fixture)
    await fixture.ports.snippets.add(other, null, null)
    const details = { limit: 1, plan: 'free' }
    await expect(put('{}', { id: other.id })).rejects.toMatchObject({
      code: 'contract_limit_reached',
      details,
    })
    await expect(put('{}', { id: '@none' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(put('{}', { ownerId: bob, id })).rejects.toMatchObject({ code: 'not_owner' })
    expect(await callUnary(usage, usage.getUsage, { ownerId: ann }, context)).toEqual({
      ...{ snippets: 2, shares: 0, storedBytes: 9, contracts: 1, pendingChecks: 0 },
    })
  })
})

describe('checks over gRPC', () => {
  it('are created, read, listed and approved', async () => {
    const check = await created({ source: 'https://ci.example/1' })
    expect(check).toMatchObject({
      ...{ snippetId: id, name: 'prices', state: CheckState.CHECK_STATE_PENDING, judgement, tool: 'csv' },
      ...{
        title: 'A title',
        sizeBytes: 7,
        version: 0,
        note: '',
        principal: by,
        source: 'https://ci.example/1',
      },
    })
    expect(check.expiresAt).toEqual(new Date(Date.UTC(2030, 0, 31)))
    const data = { $case: 'inline', value: Buffer.from('{"a":2}') }
    expect(await get(check.id)).toEqual({ check: { ...check, data } })
    const { checks: listed } = await list('@prices')
    expect(listed).toEqual([{ ...check, judgement: { ...judgement, breaks: '' } }])
    expect((await list('', CheckState.CHECK_STATE_PENDING)).checks).toEqual(listed)
    const { check: approved } = await decide(check.id, true, 'Fine')
    expect(approved).toMatchObject({ state: CheckState.CHECK_STATE_APPROVED, version: 2, note: 'Fine' })
    expect(approved?.etag).not.toBe(check.etag)
    expect(approved?.expiresAt).toEqual(new Date(Date.UTC(2031, 0, 1)))
    await expect(decide(check.id, true)).rejects.toMatchObject({ kind: 'conflict', code: 'check_decided' })
  })

  it('for a name that no snippet has become one by approval; without any, the name is unknown', async () => {
    expect(await baseline('@totals')).toEqual({ snippet: undefined, rules: '', contractVersion: 0 })
    await expect(list('@totals')).rejects.toMatchObject({ code: 'not_found' })
    const first = { ...judgement, verdict: Verdict.VERDICT_NEW, baselineVersion: 0 }
    await expect(create({ id: '@totals', judgement: first })).rejects.toMatchObject({
      code: 'validation_failed',
      details: { errors: [{ pointer: '/tool' }] },
    })
    const check = await created({ id: '@totals', judgement: first, tool: 'json' })
    expect(check).toMatchObject({ snippetId: '', name: 'totals', title: 'totals' })
    expect((await list('@totals', CheckState.CHECK_STATE_REJECTED)).checks).toEqual([])
    expect((await list('@totals')).checks).toHaveLength(1)
    const { check: approved } = await decide(check.id, true)
    expect(await baseline('@totals')).toMatchObject({ snippet: { id: approved?.snippetId, revision: 1 } })
  })

  it('are accepted at once if the verdict permits, and only by what judged them', async () => {
    const same = { ...judgement, verdict: Verdict.VERDICT_ALLOWED, breakCount: 0, breaks: '[]' }
    const kept = await created({ judgement: same })
    expect(kept.state).toBe(CheckState.CHECK_STATE_PENDING)
    const accepted = await created({ judgement: same, accept: Accept.ACCEPT_ALLOWED })
    expect(accepted).toMatchObject({
      state: CheckState.CHECK_STATE_ACCEPTED,
      version: 2,
      decidedAt: undefined,
    })
    const late = create({ judgement: same, accept: Accept.ACCEPT_ALLOWED })
    const message =
      'The snippet or its contract has changed since this output was judged. Send the output again to have it judged by the current version.'
    await expect(late).rejects.toMatchObject({ kind: 'conflict', code: 'baseline_changed', message })
  })

  it('with one idempotency key have one effect, whatever a retry is judged by', async () => {
    const first = await create({ idempotencyKey: 'k' })
    const retried = { ...judgement, baselineVersion: 7, verdict: Verdict.VERDICT_SAME }
    const again = await create({ idempotencyKey: 'k', judgement: retried })
    expect(again).toEqual({ check: first.check, replayed: true })
    await expect(create({ idempotencyKey: 'k', title: 'Other' })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    })
    expect((await list(id)).checks).toHaveLength(1)
    const rejected = await decide(first.check?.id ?? '', false)
    expect(await create({ idempotencyKey: 'k' })).toEqual({ check: rejected.check, replayed: true })
    await fixture.ports.snippets.remove(ann, snippetId(id), noCheck, true)
    await expect(create({ idempotencyKey: 'k' })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('of others are refused, and unknown ones are not found', async () => {
    const check = await created()
    await expect(get(check.id, bob)).rejects.toMatchObject({ code: 'not_owner' })
    await expect(decide(check.id, true, '', bob)).rejects.toMatchObject({ code: 'not_owner' })
    await expect(list(id, CheckState.CHECK_STATE_UNSPECIFIED, bob)).rejects.toMatchObject({
      code: 'not_owner',
    })
    await expect(baseline(id, bob)).rejects.toMatchObject({ code: 'not_owner' })
    await expect(create({ ownerId: bob, id })).rejects.toMatchObject({ code: 'not_owner' })
    for (const unknown of ['nope', 'no pe'])
      await expect(get(unknown)).rejects.toMatchObject({ code: 'not_found' })
    await expect(decide('nope', false)).rejects.toMatchObject({ code: 'not_found' })
    await expect(create({ id: 'nope' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(baseline('nope')).rejects.toMatchObject({ code: 'not_found' })
  })

  it.each([
    ['a source that is no address', { source: 'javascript:alert(1)' }, '/source'],
    ['a source that is too long', { source: `https://ci.example/${'a'.repeat(2_000)}` }, '/source'],
    ['no judgement', { judgement: undefined }, '/judgement'],
    [
      'no verdict',
      { judgement: { ...judgement, verdict: Verdict.VERDICT_UNSPECIFIED } },
      '/judgement/verdict',
    ],
    ['no data', { data: undefined }, '/data'],
  ])('with %s are refused', async (_what, fields, pointer) => {
    await expect(create(fields)).rejects.toMatchObject({
      code: 'validation_failed',
      details: { errors: [{ pointer }] },
    })
  })

  it('have notes of 500 characters at most, on several lines', async () => {
    const check = await created()
    await expect(decide(check.id, false, 'a'.repeat(501))).rejects.toMatchObject({
      code: 'validation_failed',
    })
    await expect(decide(check.id, false, 'a\u0000')).rejects.toMatchObject({ code: 'validation_failed' })
    const note = `${'ü'.repeat(499)}\n`
    expect((await decide(check.id, false, note)).check).toMatchObject({ note })
  })

  it('are not kept on a full disk, and can be rejected then', async () => {
    const check = await created()
    fixture.fillDisk(true)
    await expect(create()).rejects.toMatchObject({ code: 'unavailable' })
    await expect(put('{}')).rejects.toMatchObject({ code: 'unavailable' })
    await expect(decide(check.id, true)).rejects.toMatchObject({ code: 'unavailable' })
    expect((await decide(check.id, false)).check?.state).toBe(CheckState.CHECK_STATE_REJECTED)
  })

  it('do not show changed bytes', async () => {
    const check = await created()
    await decide(check.id, true)
    await fixture.damageSnippet(snippetId(id))
    await expect(get(check.id)).rejects.toThrow()
  })
})
