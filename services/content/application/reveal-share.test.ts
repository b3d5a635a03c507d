import { beforeEach, describe, expect, it } from 'vitest'
import type { PlanLimits } from '#shared/core/plan.js'
import { isGatedShareId } from '#shared/core/share-id.js'
import type { Share } from '../domain/share.js'
import { ann, bob } from '../testing/content-fixture.js'
import { type MemoryFixture, memoryFixture } from '../testing/memory-fixture.js'
import { type CreateShare, createShare } from './create-share.js'
import { getGatedShare, getShare } from './read-share.js'
import { revealShare } from './reveal-share.js'

const limits: PlanLimits = {
  dataBytes: 1_000,
  snippets: 3,
  contracts: null,
  shares: null,
  storedBytes: null,
  shareTtlDays: null,
  history: 20,
  apiKeys: 0,
  trustedPublishers: 0,
  revisions: 0,
}
const password = 'open sesame'
let fixture: MemoryFixture
beforeEach(() => {
  fixture = memoryFixture()
})

function request(fields: Partial<CreateShare> = {}): CreateShare {
  return {
    ...{ ownerId: ann, plan: 'pro', limits, tool: 'csv', title: 'Secret title', idempotencyKey: null },
    data: { kind: 'inline', bytes: Buffer.from('{"a":1}') },
    expiry: { kind: 'default' },
    ...fields,
  }
}

async function created(gate: CreateShare['gate']): Promise<Share> {
  return (await createShare(fixture.ports, request({ gate: gate ?? null }))).result
}

const reveal = (share: Share, given = '', attempt = '') =>
  revealShare(fixture.ports, share.id, { password: given, attempt })
const read = (share: Share, grant = '', accountId: typeof ann | null = null) =>
  getGatedShare(fixture.ports, share.id, { grant, accountId }, true)
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error) => error.code,
  )

describe('a gated share', () => {
  it('has an id that no release without gates accepts, and is found by no other read', async () => {
    const share = await created({ password: null, viewsMax: 1 })
    expect([share.id.length, isGatedShareId(share.id)]).toEqual([24, true])
    expect(await codeOf(getShare(fixture.ports, share.id, true))).toBe('not_found')
    const open = (await createShare(fixture.ports, request())).result
    expect([open.id.length, open.gate]).toEqual([22, null])
    expect(await codeOf(reveal(open))).toBe('not_found')
    expect(await codeOf(getGatedShare(fixture.ports, open.id, { grant: '', accountId: ann }, true))).toBe(
      'not_found',
    )
  })

  it('opens with its password alone, and a missing password is not counted as a wrong one', async () => {
    const share = await created({ password, viewsMax: null })
    expect(await codeOf(reveal(share))).toBe('share_password_invalid')
    expect(await codeOf(reveal(share, 'open sesam'))).toBe('share_password_invalid')
    const { grant } = await reveal(share, password)
    expect((await read(share, grant)).access).toBe('grant')
    expect((await read(share, '', ann)).record.gate).toMatchObject({ views: 1, failedPasswords: 1 })
  })

  it('tells those without a grant that it is used up at once, and its owner when it is purged', async () => {
    const share = await created({ password: null, viewsMax: 1 })
    const { grant } = await reveal(share)
    expect(await codeOf(reveal(share))).toBe('share_used_up')
    expect(await codeOf(read(share))).toBe('share_used_up')
    expect((await read(share, grant)).data?.kind).toBe('inline')
    expect((await read(share, '', ann)).access).toBe('owner')
    await fixture.passTime(600_000)
    expect(await codeOf(read(share, grant))).toBe('share_used_up')
    expect(await fixture.ports.gates.purgeUsedUp(10)).toBe(1)
    expect(await codeOf(read(share, '', ann))).toBe('share_used_up')
    expect(await codeOf(read(share, '', bob))).toBe('share_used_up')
  })

  it('gives its last view to one of two calls, and again to the other if both are the same attempt', async () => {
    const [first, second] = [fixture.ports.ids.accessGrant(), fixture.ports.ids.accessGrant()]
    /** Sees the share before the first call, and checks its password after it. */
    const slower = async (attempt: string) => {
      const share = await created({ password, viewsMax: 1 })
      const verify = async (given: string, hash: string) => {
        await reveal(share, password, first)
        return fixture.ports.passwords.verify(given, hash)
      }
      const ports = { ...fixture.ports, passwords: { ...fixture.ports.passwords, verify } }
      return (word: string) => revealShare(ports, share.id, { password: word, attempt })
    }
    expect(await codeOf((await slower(second))(password))).toBe('share_used_up')
    await fixture.passTime(600_000)
    expect(await (await slower(first))(password)).toMatchObject({
      grant: first,
      share: { gate: { views: 1 } },
    })
    await fixture.passTime(600_000)
    expect(await (await slower(first))('wrong')).toMatchObject({ grant: first })
  })

  it('does not tell its title when it has expired', async () => {
    const gate = { password, viewsMax: null }
    const wanted = request({ gate, expiry: { kind: 'in', seconds: 60 } })
    const share = (await createShare(fixture.ports, wanted)).result
    await fixture.passTime(60_000)
    const error = await read(share).catch((failure) => failure)
    expect([error.code, error.details.title]).toEqual(['share_expired', undefined])
    expect(await codeOf(reveal(share, password))).toBe('share_expired')
  })

  it('tells at most 20 of 60 concurrent guesses that they are wrong, then none that it is right', async () => {
    const share = await created({ password, viewsMax: null })
    const guesses = Array.from({ length: 60 }, (_none, n) => `wrong guess ${n}`)
    const codes = await Promise.all(guesses.map((guess) => codeOf(reveal(share, guess))))
    const count = (code: string) => codes.filter((one) => one === code).length
    expect([count('share_password_invalid'), count('rate_limited')]).toEqual([20, 40])
    expect(await codeOf(reveal(share, password))).toBe('rate_limited')
    await fixture.passTime(3_600_000)
    expect(await codeOf(reveal(share, password))).toBe('done')
  })

  it.each([
    [{ password: 'short', viewsMax: null }, '/password'],
    [{ password: 'x'.repeat(129), viewsMax: null }, '/password'],
    [{ password: ' open sesame', viewsMax: null }, '/password'],
    [{ password: 'open\u0000sesame', viewsMax: null }, '/password'],
    [{ password: null, viewsMax: 0 }, '/max_views'],
    [{ password: null, viewsMax: 1_001 }, '/max_views'],
    [{ password: null, viewsMax: 1.5 }, '/max_views'],
  ])('is refused with %j', async (gate, pointer) => {
    await expect(created(gate)).rejects.toMatchObject({
      code: 'validation_failed',
      details: { errors: [expect.objectContaining({ pointer })] },
    })
  })
})

describe('a repeated create of a gated share', () => {
  const key = { idempotencyKey: 'k' }

  it('gets the first response, computes no new hash, and stores no faster digest of the password', async () => {
    let hashes = 0
    const { hash, verify } = fixture.ports.passwords
    const passwords = { verify, hash: (given: string) => hash(given).finally(() => (hashes += 1)) }
    const ports = { ...fixture.ports, passwords }
    const wanted = request({ ...key, gate: { password, viewsMax: 3 } })
    const first = await createShare(ports, wanted)
    await reveal(first.result, password)
    const second = await createShare(ports, wanted)
    expect([second.replayed, second.result, hashes]).toEqual([true, first.result, 1])
    expect(JSON.stringify(second.result)).not.toContain(password)
  })

  it('is another request with another password, without one, or with another limit', async () => {
    await createShare(fixture.ports, request({ ...key, gate: { password, viewsMax: 3 } }))
    for (const gate of [
      { password: 'open sesame!', viewsMax: 3 },
      { password: null, viewsMax: 3 },
      { password, viewsMax: 4 },
      null,
    ]) {
      expect(await codeOf(createShare(fixture.ports, request({ ...key, gate })))).toBe(
        'idempotency_key_reused',
      )
    }
  })
})
