import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CheckStore } from '../contract-ports.js'
import { baselineChanged, type Check } from '../domain/check.js'
import { ownerId } from '../domain/ids.js'
import { approver, checkDraft, checkedSnippet, oneBreak, roomy } from '../testing/checked-snippet.js'
import { ann, documentData, inlineData, noCheck } from '../testing/content-fixture.js'
import { findInconsistencies } from '../testing/find-inconsistencies.js'
import { openPostgresFixture, type PostgresFixture } from '../testing/postgres-fixture.js'
import { postgresCheckStore } from './postgres-check-store.js'

const approvals = { snippets: null, refuse: () => new Error('no limit'), revisions: 1_000 }
const keeping = { ...roomy, revisions: 1_000 }
const { code: changed } = baselineChanged()

let fixture: PostgresFixture
let of: Awaited<ReturnType<typeof checkedSnippet>>
/** As many processes, whose queues know nothing of each other. */
let processes: readonly CheckStore[]

beforeAll(async () => {
  fixture = await openPostgresFixture('content_check_races')
  processes = Array.from({ length: 4 }, () => postgresCheckStore(fixture.openPool({ connectionsMax: 4 })))
})
afterAll(() => fixture?.close())
beforeEach(async () => {
  await fixture.reset()
  of = await checkedSnippet(fixture)
})

function processOf(n: number): CheckStore {
  return processes[n % processes.length] ?? fixture.ports.checks
}

const decisionOf = (approve: boolean) => ({
  ...{ approve, note: null, principal: approver, newSnippet: fixture.ports.ids.snippet() },
})

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error
}

describe('on Postgres', () => {
  it('50 checks and 5 approvals at once make versions in an unbroken order, each on the baseline that judged it', async () => {
    for (let round = 0; round < 2; round += 1) {
      const { version: first = 0 } = await of.current()
      const waiting = await Promise.all(
        Array.from({ length: 5 }, (_, n) =>
          of.send({
            data: inlineData(fixture, `{"waiting":${round}${n}}`),
            judgement: { baselineVersion: first },
          }),
        ),
      )
      // As a gateway does: judged by the version of this moment, and again if that changes.
      const accept = async (n: number): Promise<Check> => {
        for (;;) {
          const { version: baselineVersion = 0 } = await of.current()
          const data = inlineData(fixture, `{"sent":${round}${n}}`)
          const judgement = { verdict: 'allowed' as const, baselineVersion }
          const draft = checkDraft(fixture, of.snippet.id, { data, accept: 'allowed', judgement })
          const added = processOf(n).add(draft, null, keeping)
          const check = await added.catch((error: unknown) => {
            if (codeOf(error) !== changed) throw error
            return null
          })
          if (check !== null) return check
        }
      }
      const approve = ({ id }: Check, n: number) =>
        processOf(n).decide({ ownerId: ann, id }, decisionOf(true), approvals)
      const [sent, approved] = await Promise.all([
        Promise.all(Array.from({ length: 50 }, (_, n) => accept(n))),
        Promise.allSettled(waiting.map(approve)),
      ])
      for (const one of approved) if (one.status === 'rejected') expect(codeOf(one.reason)).toBe(changed)
      const won = approved.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      expect(won.length).toBeLessThanOrEqual(1)
      const made = [...sent, ...won]
      for (const check of made) expect(check?.version).toBe((check?.judgement.baselineVersion ?? 0) + 1)
      const versions = made.map((check) => check?.version ?? 0).toSorted((a, b) => a - b)
      expect(versions).toEqual(Array.from({ length: made.length }, (_, n) => first + n + 1))
      for (const check of made) if (check !== null) expect(await of.textOf(check.id)).not.toBeNull()
      expect(await findInconsistencies(fixture.pool)).toEqual([])
      for (const [n, { id }] of waiting.entries())
        if (!won.some((check) => check?.id === id))
          await processOf(n).decide({ ownerId: ann, id }, decisionOf(false), approvals)
    }
  })

  it('of candidates for one new name that are approved at once, one creates the snippet', async () => {
    const waiting = await Promise.all(
      Array.from({ length: 12 }, (_, n) => of.sendNew('totals', `{"n":${n}}`)),
    )
    const outcomes = await Promise.allSettled(
      waiting.map(({ id }, n) => processOf(n).decide({ ownerId: ann, id }, decisionOf(true), approvals)),
    )
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [codeOf(one.reason)] : []))
    expect(refused).toEqual(Array.from({ length: 11 }, () => changed))
    expect(await fixture.ports.snippets.count(ann)).toBe(2)
    expect(await findInconsistencies(fixture.pool)).toEqual([])
  })

  it('a check that is approved and rejected by many at once has one outcome', async () => {
    for (let round = 1; round <= 5; round += 1) {
      const { version: baselineVersion = 0 } = await of.current()
      const data = await documentData(fixture, ann, `[${round}]`)
      const { id } = await of.send({ data, judgement: { baselineVersion, breaks: oneBreak } })
      const outcomes = await Promise.allSettled(
        Array.from({ length: 12 }, (_, n) =>
          processOf(n).decide({ ownerId: ann, id }, decisionOf(n % 2 === 0), approvals),
        ),
      )
      const done = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      expect(done).toEqual([await of.find(id)])
      const events = (await of.events()).filter(({ type }) => type !== 'check.broke')
      expect(events.map(({ type }) => type)).toEqual([`check.${done[0]?.state}`])
      await fixture.ports.outbox.finish(events)
      expect((await of.current()).version).toBe(baselineVersion + (done[0]?.state === 'approved' ? 1 : 0))
      expect(await findInconsistencies(fixture.pool)).toEqual([])
    }
  })

  it('a hundred pending candidates is the limit also for many at once', async () => {
    await Promise.all(
      Array.from({ length: 150 }, (_, n) =>
        processOf(n).add(checkDraft(fixture, of.snippet.id), null, keeping),
      ),
    )
    expect((await of.list({ state: 'pending' })).items).toHaveLength(100)
    expect((await of.list({ state: 'expired' })).items).toHaveLength(50)
    expect([await of.stored(), await findInconsistencies(fixture.pool)]).toEqual([101 * 7, []])
  })

  it('whatever happens at once, bytes are counted exactly and each document is released once', async () => {
    const bob = ownerId('bob')
    for (let round = 0; round < 3; round += 1) {
      const { version: baselineVersion = 0 } = await of.current()
      const send = async (n: number) => {
        const text = `{"n":${n}}`
        const data = n % 2 === 0 ? await documentData(fixture, ann, text) : inlineData(fixture, text)
        return of.send({ data, judgement: { baselineVersion, breaks: oneBreak } })
      }
      const waiting = await Promise.all(Array.from({ length: 24 }, (_, n) => send(n)))
      await fixture.passTime(31 * 86_400_000)
      const fresh = await Promise.all(Array.from({ length: 24 }, (_, n) => send(n)))
      const outcomes = await Promise.allSettled([
        ...[...waiting, ...fresh].map(({ id }, n) =>
          processOf(n).decide({ ownerId: ann, id }, decisionOf(n % 3 === 0), approvals),
        ),
        ...Array.from({ length: 4 }, (_, n) => processOf(n).expire(10)),
        ...Array.from({ length: 8 }, (_, n) => of.sendNew('totals', `{"round":${round}${n}}`)),
        processOf(1).add(checkDraft(fixture, of.snippet.id, { ownerId: bob }), null, keeping),
        fixture.ports.revisions.deleteExpired(10),
      ])
      const codes = outcomes.flatMap((one) => (one.status === 'rejected' ? [codeOf(one.reason)] : []))
      expect(codes.filter((code) => code !== changed && code !== 'check_decided')).toEqual([])
      expect(await findInconsistencies(fixture.pool)).toEqual([])
    }
    await Promise.all([
      fixture.ports.snippets.remove(ann, of.snippet.id, noCheck, true),
      ...Array.from({ length: 8 }, (_, n) =>
        processOf(n)
          .add(checkDraft(fixture, of.snippet.id), null, keeping)
          .catch(() => null),
      ),
    ])
    expect((await of.list()).items).toEqual([])
    expect(await findInconsistencies(fixture.pool)).toEqual([])
  })
})
