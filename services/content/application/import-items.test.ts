import { beforeEach, describe, expect, it } from 'vitest'
import type { PlanLimits } from '#shared/core/plan.js'
import { isGatedShareId } from '#shared/core/share-id.js'
import { contractQuota } from '../domain/contract.js'
import { shareId, snippetId } from '../domain/ids.js'
import { ann, bob, noCheck, shareDraft, snippetDraft } from '../testing/content-fixture.js'
import { type MemoryFixture, memoryFixture } from '../testing/memory-fixture.js'
import { importContract } from './contracts.js'
import {
  type ImportShare,
  type ImportSnippet,
  importRevision,
  importShare,
  importSnippet,
} from './import-items.js'
import { getGatedShare, getShare } from './read-share.js'

const limits: PlanLimits = {
  dataBytes: 1_000,
  snippets: 3,
  contracts: null,
  shares: null,
  storedBytes: null,
  shareTtlDays: null,
  history: 1,
  apiKeys: 0,
  trustedPublishers: 0,
  revisions: 2,
}
const origin = snippetId('A'.repeat(22))
const past = {
  version: 7,
  createdAt: new Date('2020-01-01T00:00:00Z'),
  updatedAt: new Date('2021-01-01T00:00:00Z'),
}

let fixture: MemoryFixture
beforeEach(() => {
  fixture = memoryFixture()
})

const dataOf = (text: string) => ({ kind: 'inline', bytes: Buffer.from(text) }) as const
const snippet = (fields: Partial<ImportSnippet> = {}) =>
  importSnippet(fixture.ports, {
    ...{ ownerId: ann, plan: 'pro', limits, origin, past },
    ...{ name: 'nightly', tool: 'csv', title: 'T', tags: ['a'], data: dataOf('{"v":7}'), mayApprove: false },
    ...fields,
  })

describe('an imported snippet', () => {
  it('has the id, name, version and times that it had', async () => {
    expect(await snippet()).toEqual({ id: origin, existed: false, nameTaken: false })
    const [found] = await fixture.ports.snippets.findAll([{ ownerId: ann, id: origin, includeData: false }])
    expect(found?.record).toMatchObject({ name: 'nightly', tags: ['a'], ...past })
  })

  it('is not imported twice, and leaves what has changed since as it is', async () => {
    await snippet()
    await fixture.ports.snippets.change(ann, origin, { title: 'Newer' }, noCheck, true)
    expect(await snippet()).toMatchObject({ id: origin, existed: true })
    const [found] = await fixture.ports.snippets.findAll([{ ownerId: ann, id: origin, includeData: false }])
    expect(found?.record.title).toBe('Newer')
  })

  it('gets another id if another account uses its own, and the same one each time', async () => {
    await snippet({ ownerId: bob })
    const first = await snippet()
    expect(first).toMatchObject({ existed: false })
    expect(first.id).not.toBe(origin)
    expect(await snippet()).toEqual({ id: first.id, existed: true, nameTaken: false })
  })

  it('gets no name if another snippet has it', async () => {
    await fixture.ports.snippets.add(snippetDraft(fixture, { name: 'nightly' }), null, null)
    expect(await snippet()).toMatchObject({ existed: false, nameTaken: true })
  })

  it('counts for the limit', async () => {
    for (const letter of ['B', 'C', 'D']) await snippet({ origin: snippetId(letter.repeat(22)), name: null })
    await expect(snippet()).rejects.toMatchObject({ code: 'snippet_limit_reached' })
  })

  it('has no times in the future', async () => {
    const future = { ...past, createdAt: new Date('2990-01-01'), updatedAt: new Date('2990-01-01') }
    await snippet({ past: future })
    const [found] = await fixture.ports.snippets.findAll([{ ownerId: ann, id: origin, includeData: false }])
    expect(found?.record.createdAt.getUTCFullYear()).toBeLessThan(2990)
  })

  it('gets earlier versions until its plan keeps no more', async () => {
    await snippet()
    const revision = (version: number, mayApprove = false) =>
      importRevision(fixture.ports, {
        ...{ ownerId: ann, plan: 'pro', limits, id: origin, version, mayApprove },
        ...{
          tool: 'csv',
          title: 'Old',
          tags: [],
          data: dataOf(`{"v":${version}}`),
          createdAt: past.createdAt,
        },
      })
    expect([await revision(6), await revision(6), await revision(7)]).toEqual(['added', 'exists', 'exists'])
    const rules = { rules: '{}', principal: null }
    const quota = contractQuota('pro', { contracts: null })
    await fixture.ports.contracts.put({ ownerId: ann, id: origin }, rules, noCheck, quota)
    await expect(revision(3)).rejects.toMatchObject({ kind: 'forbidden', code: 'approval_required' })
    expect([await revision(8), await revision(3, true), await revision(2)]).toEqual([
      'not-kept',
      'added',
      'not-kept',
    ])
    const versions = await fixture.ports.revisions.list({ ownerId: ann, id: origin }, null, 10)
    expect(versions.map(({ version }) => version)).toEqual([7, 6, 3])
  })
})

describe('an imported share', () => {
  const old = shareId('S'.repeat(22))
  const share = (fields: Partial<ImportShare> = {}) =>
    importShare(fixture.ports, {
      ...{
        ownerId: ann,
        plan: 'pro',
        limits,
        origin: old,
        principal: null,
        viewsMax: null,
        allowedSecrets: [],
      },
      ...{ tool: 'csv', title: 'T', data: dataOf('{"v":1}'), expiresAt: null },
      ...fields,
    })

  it('has a new link, and is not imported twice', async () => {
    const first = await share()
    expect(first.existed).toBe(false)
    expect(first.id).not.toBe(old)
    expect(await share()).toEqual({ id: first.id, existed: true })
    expect(await fixture.ports.shares.countLive(ann)).toBe(1)
  })

  it('never comes back under a link that is gone', async () => {
    const first = await share()
    await fixture.ports.shares.remove(first.id, () => {})
    const again = await share()
    expect(again).toMatchObject({ existed: false })
    expect(again.id).not.toBe(first.id)
    expect(await fixture.ports.shares.find(first.id, false)).toBeNull()
  })

  it('has another link in another account, and with other content', async () => {
    const ids = [await share(), await share({ ownerId: bob }), await share({ data: dataOf('{"v":2}') })]
    expect(new Set(ids.map(({ id }) => id)).size).toBe(3)
  })

  it('that the account still has keeps its link', async () => {
    const draft = shareDraft(fixture, { id: old })
    await fixture.ports.shares.add(draft, () => null, null)
    expect(await share()).toEqual({ id: old, existed: true })
  })

  it('that had a gate has one again, for the views that were left, and no other read finds it', async () => {
    const gated = { origin: shareId('G'.repeat(24)), viewsMax: 3 }
    const { id } = await share(gated)
    expect(isGatedShareId(id)).toBe(true)
    const reader = { grant: '', accountId: null }
    const found = await getGatedShare(fixture.ports, id, reader, true)
    expect([found.access, found.data, found.record.gate]).toMatchObject([
      ...[null, null, { hasPassword: false, viewsLeft: 3, views: 0 }],
    ])
    await expect(getShare(fixture.ports, id, true)).rejects.toMatchObject({ code: 'not_found' })
    expect(await share(gated)).toEqual({ id, existed: true })
    for (const viewsMax of [0, -1, 1_001, 1.5])
      await expect(share({ ...gated, viewsMax })).rejects.toMatchObject({ code: 'validation_failed' })
  })

  it('expires when it did, and never only if the plan allows that', async () => {
    const expiresAt = new Date('2030-02-10T00:00:00Z')
    const { id } = await share({ expiresAt })
    expect((await fixture.ports.shares.find(id, false))?.record.expiresAt).toEqual(expiresAt)
    const free = { ...limits, shareTtlDays: 30 }
    const other = dataOf('{"v":3}')
    for (const late of [null, expiresAt])
      await expect(share({ limits: free, data: other, expiresAt: late })).rejects.toMatchObject({
        details: { errors: [{ code: 'beyond_plan' }] },
      })
    await expect(share({ data: other, expiresAt: new Date(0) })).rejects.toMatchObject({
      details: { errors: [{ code: 'too_soon' }] },
    })
  })
})

describe('an imported contract', () => {
  const contract = (fields: object = {}) => {
    const given = { id: origin, rules: '{"order": "insignificant"}', principal: null }
    return importContract(fixture.ports, { ownerId: ann, plan: 'free', limits, ...given, ...fields })
  }
  const kept = async () => (await fixture.ports.contracts.find({ ownerId: ann, id: origin }))?.rules

  it('is put beside its snippet once, as it was, and leaves a newer one as it is', async () => {
    await snippet()
    expect(await contract()).toBe(false)
    expect(await kept()).toBe('{"order": "insignificant"}')
    expect(await contract({ rules: '{}' })).toBe(true)
    expect(await kept()).toBe('{"order": "insignificant"}')
  })

  it('needs its snippet, room in the plan and on the disk', async () => {
    await expect(contract()).rejects.toMatchObject({ code: 'not_found' })
    await snippet()
    await expect(contract({ ownerId: bob })).rejects.toMatchObject({ code: 'not_owner' })
    const none = { limits: { ...limits, contracts: 0 } }
    await expect(contract(none)).rejects.toMatchObject({ code: 'contract_limit_reached' })
    fixture.fillDisk(true)
    await expect(contract()).rejects.toMatchObject({ code: 'unavailable' })
    expect(await kept()).toBeUndefined()
  })
})
