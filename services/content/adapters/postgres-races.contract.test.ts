import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { transaction } from '#libs/postgres/transaction.js'
import { testPlanLimits } from '#shared/testing/plan-limits.js'
import { type CreateSnippet, createSnippet } from '../application/create-snippet.js'
import { putSnippet } from '../application/put-snippet.js'
import { sweep } from '../application/sweep.js'
import { writeDocument } from '../application/write-document.js'
import type { OwnerId } from '../domain/ids.js'
import type { Share } from '../domain/share.js'
import type { Snippet } from '../domain/snippet.js'
import {
  ann,
  bob,
  chunksOf,
  documentData,
  inlineData,
  noCheck,
  shareDraft,
  snippetDraft,
} from '../testing/content-fixture.js'
import { openPostgresFixture, type PostgresFixture } from '../testing/postgres-fixture.js'
import { postgresDocumentRegistry } from './postgres-document-registry.js'
import { postgresShareGates } from './postgres-share-gates.js'
import { postgresShareStore } from './postgres-share-store.js'

const limits = { ...testPlanLimits, dataBytes: 1_000_000, snippets: null }

let fixture: PostgresFixture

beforeAll(async () => {
  fixture = await openPostgresFixture('content_races')
})
afterAll(() => fixture?.close())
beforeEach(() => fixture.reset())

function request(fields: Partial<CreateSnippet>): CreateSnippet {
  const data = { kind: 'inline' as const, bytes: Buffer.from('{}') }
  const common = { ownerId: ann, plan: 'pro' as const, limits, tool: 'csv', title: 'T', tags: [] }
  return { ...common, name: null, data, idempotencyKey: null, mayApprove: false, ...fields }
}

async function rows(): Promise<{ counter: number; rows: number }> {
  const { rows: found } = await fixture.pool.query<{ counter: number; rows: number }>(
    'SELECT (SELECT snippet_count FROM owner)::int AS counter, (SELECT count(*) FROM snippet)::int AS rows',
  )
  return found[0] ?? { counter: -1, rows: -1 }
}

function addShare(owner: OwnerId, data = inlineData(fixture)): Promise<Share> {
  return fixture.ports.shares.add(shareDraft(fixture, { ownerId: owner, data }), () => null, null)
}

async function addSnippet(): Promise<Snippet> {
  const snippet = await fixture.ports.snippets.add(snippetDraft(fixture), null, null)
  if (snippet === null) throw new Error('no snippet')
  return snippet
}

describe('on Postgres', () => {
  it('50 concurrent puts of one name create one snippet, even while it is renamed', async () => {
    for (let round = 0; round < 5; round += 1) {
      const name = `n${round}`
      const put = (n: number) => {
        const { name: _none, idempotencyKey: _key, ...fields } = request({ title: `T${n}` })
        const unconditional = { ifMatch: [], ifNoneMatch: false, mayApprove: false }
        return putSnippet(fixture.ports, { ...fields, target: { name }, ...unconditional })
      }
      const put50 = () => Promise.all(Array.from({ length: 50 }, (_, n) => put(n)))
      const results = await put50()
      expect(results.filter(({ created }) => created)).toHaveLength(1)
      expect(new Set(results.map(({ snippet }) => snippet.id)).size).toBe(1)
      expect(await rows()).toEqual({ counter: 2 * round + 1, rows: 2 * round + 1 })
      const [id] = results.map(({ snippet }) => snippet.id)
      if (id === undefined) throw new Error('nothing was put')
      const { snippets } = fixture.ports
      await Promise.all([put50(), snippets.change(ann, id, { name: `old${round}` }, noCheck, true)])
      expect(await snippets.findIds([{ ownerId: ann, name: `old${round}` }])).toEqual([id])
      expect(await rows()).toEqual({ counter: 2 * round + 2, rows: 2 * round + 2 })
    }
  })

  it('100 concurrent creates at one below the limit create exactly one snippet', async () => {
    for (let n = 0; n < 4; n += 1) await fixture.ports.snippets.add(snippetDraft(fixture), null, null)
    for (let round = 0; round < 10; round += 1) {
      const made = await Promise.all(
        Array.from({ length: 100 }, () => fixture.ports.snippets.add(snippetDraft(fixture), 5, null)),
      )
      const [one, ...more] = made.filter((snippet) => snippet !== null)
      expect([more.length, await rows()]).toEqual([0, { counter: 5, rows: 5 }])
      if (one !== undefined) await fixture.ports.snippets.remove(ann, one.id, noCheck, true)
    }
  })

  it('100 concurrent creates with one key have one effect; the others get its response or a conflict', async () => {
    for (let round = 1; round <= 5; round += 1) {
      const responses = await Promise.allSettled(
        Array.from({ length: 100 }, () =>
          createSnippet(fixture.ports, request({ idempotencyKey: `k${round}` })),
        ),
      )
      const made = responses.flatMap((response) => (response.status === 'fulfilled' ? [response.value] : []))
      const refused = responses.flatMap((response) =>
        response.status === 'rejected' ? [response.reason] : [],
      )
      expect(made.filter(({ replayed }) => !replayed)).toHaveLength(1)
      expect(new Set(made.map(({ result }) => JSON.stringify(result))).size).toBe(1)
      for (const error of refused) expect(error).toMatchObject({ code: 'idempotency_in_progress' })
      expect(await rows()).toEqual({ counter: round, rows: round })
    }
  })

  it('concurrent uploads with one key have one effect', async () => {
    const key = { ownerId: ann, operation: 'create-snippet' as const, key: 'k' }
    const attempt = async () => {
      const chunks = chunksOf(Buffer.alloc(300_000, 'x'))
      const { id } = await writeDocument(fixture.ports, { ownerId: ann, plan: 'pro', limits, key, chunks })
      return createSnippet(fixture.ports, request({ idempotencyKey: 'k', data: { kind: 'document', id } }))
    }
    const responses = await Promise.allSettled(Array.from({ length: 20 }, attempt))
    const ids = responses.flatMap((response) =>
      response.status === 'fulfilled' ? [response.value.result.id] : [],
    )
    expect([new Set(ids).size, await rows()]).toEqual([1, { counter: 1, rows: 1 }])
    expect(await fixture.documentsWithBytes()).toBe(1)
    for (const response of responses) {
      if (response.status === 'rejected')
        expect(response.reason).toMatchObject({ code: 'idempotency_in_progress' })
    }
    expect((await attempt()).replayed).toBe(true)
  })

  describe('bytes that arrive after those of their document were removed', () => {
    const condemned = async () => {
      const id = fixture.ports.ids.document()
      await fixture.ports.registry.reserve(id, ann)
      await fixture.passTime(60_000)
      await fixture.ports.documents.remove(await fixture.ports.registry.condemn(1_000, 50))
      return id
    }
    const entries = async () => (await fixture.pool.query('SELECT FROM document')).rowCount
    const leftToSweep = async () => {
      expect([await entries(), await fixture.documentsWithBytes()]).toEqual([1, 1])
      await fixture.passTime(60_000)
      await sweep(fixture.ports, 1_000, new AbortController().signal)
      expect([await entries(), await fixture.documentsWithBytes()]).toEqual([0, 0])
    }

    it('keep its registry entry, and a later sweep removes both', async () => {
      const id = await condemned()
      await fixture.ports.documents.write(id, chunksOf(Buffer.alloc(1_000)))
      await fixture.ports.registry.forget([id])
      await leftToSweep()
    })

    it('keep its registry entry even if they arrive during the removal', async () => {
      const id = await condemned()
      const { forgetting } = await transaction(fixture.pool, async (tx) => {
        const text = "INSERT INTO document_chunk (document_id, seq, bytes) VALUES ($1, 0, 'x')"
        await tx.query({ text, values: [id] })
        const forgetting = fixture.ports.registry.forget([id])
        await sleep(100)
        return { forgetting }
      })
      await forgetting
      await leftToSweep()
    })
  })

  describe('a burst of one owner', () => {
    it.each<[string, (shares: readonly Share[], snippets: readonly Snippet[]) => Promise<unknown>[]]>([
      ['new shares', (shares) => shares.map(() => addShare(ann))],
      ['withdrawn shares', (shares) => shares.map(({ id }) => fixture.ports.shares.remove(id, noCheck))],
      ['new snippets', (shares) => shares.map(() => addSnippet())],
      [
        'deleted snippets',
        (_, snippets) => snippets.map(({ id }) => fixture.ports.snippets.remove(ann, id, noCheck, true)),
      ],
    ])('of %s waits in its queue without taking sessions that others need', async (_what, burst) => {
      const many = Array.from({ length: 30 })
      const shares = await Promise.all(many.map(() => addShare(ann)))
      const snippets = await Promise.all(many.map(addSnippet))
      const { id } = await addShare(bob)
      const holder = await fixture.pool.connect()
      await holder.query('BEGIN')
      await holder.query('SELECT FROM owner WHERE owner.owner_id = $1 FOR UPDATE', [ann])
      const waiting = Promise.all(burst(shares, snippets))
      waiting.catch(() => {})
      // Longer than the wait for a free session.
      await sleep(1_200)
      const found = await fixture.ports.shares.find(id, true).catch((error: unknown) => error)
      await holder.query('COMMIT')
      holder.release()
      expect(found).toMatchObject({ record: { id } })
      await waiting
    })

    it('fails only the requests that were wrong themselves', async () => {
      const gone = { ...(await documentData(fixture, ann)), id: fixture.ports.ids.document() }
      const made = await Promise.allSettled([
        addShare(ann, gone),
        addShare(ann),
        addShare(ann, gone),
        addShare(ann),
      ])
      expect(made.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
    })
  })

  it('a limit holds even if the planner prefers nested loops', async () => {
    const pool = fixture.openPool({ connectionsMax: 1 })
    for (const way of ['hashjoin', 'mergejoin', 'material', 'hashagg', 'sort'])
      await pool.query(`SET enable_${way} = off`)
    for (let n = 0; n < 10; n += 1) {
      await documentData(fixture, ann)
      await fixture.ports.shares.add(shareDraft(fixture), (now) => new Date(now.getTime() + 60_000), null)
    }
    expect(await postgresShareStore(pool).liftExpiry(ann, 3)).toBe(3)
    await fixture.passTime(60_000)
    expect(await postgresDocumentRegistry(pool).condemn(1_000, 3)).toHaveLength(3)
  })

  it('200 concurrent reveals by four processes give five grants, while the share is purged, listed and viewed', async () => {
    const processes = Array.from({ length: 4 }, () => postgresShareGates(fixture.openPool({})))
    const { ids, shares } = fixture.ports
    for (let round = 0; round < 5; round += 1) {
      const gate = { passwordHash: null, viewsMax: 5 }
      const { id } = await shares.add(shareDraft(fixture, { id: ids.gatedShare(), gate }), () => null, null)
      const [given] = await Promise.all([
        Promise.all(
          Array.from({ length: 200 }, (_none, n) =>
            processes[n % 4]?.grant(id, fixture.ports.hashing.sha256(`${n}`)),
          ),
        ),
        shares.queueViewEvents(10),
        shares.purgeExpired(10),
        processes[0]?.purgeUsedUp(10),
      ])
      expect(given.filter((one) => one != null)).toHaveLength(5)
      const { rows: found } = await fixture.pool.query(
        'SELECT gate_views_left::int, gate_views::int, (SELECT count(*)::int FROM share_grant WHERE share_id = $1) AS grants FROM share WHERE id = $1',
        [id],
      )
      expect(found).toEqual([{ gate_views_left: 0, gate_views: 5, grants: 5 }])
      await fixture.passTime(600_000)
      expect(await fixture.ports.gates.deleteEndedAccessGrants(10)).toBe(5)
    }
  })

  it('transactions that take locks in opposite orders both succeed', async () => {
    await fixture.pool.query("INSERT INTO owner (owner_id) VALUES ('a'), ('b')")
    const count = 'UPDATE owner SET share_count = share_count + 1 WHERE owner_id = $1'
    for (let round = 0; round < 5; round += 1) {
      let arrived = 0
      let open = (): void => {}
      const both = new Promise<void>((resolve) => {
        open = resolve
      })
      const inOrder = (first: string, second: string) =>
        transaction(fixture.pool, async (tx) => {
          await tx.query({ text: count, values: [first] })
          arrived += 1
          if (arrived >= 2) open()
          await both
          await tx.query({ text: count, values: [second] })
        })
      await Promise.all([inOrder('a', 'b'), inOrder('b', 'a')])
    }
    const { rows: found } = await fixture.pool.query('SELECT share_count::int FROM owner')
    expect(found).toEqual([{ share_count: 10 }, { share_count: 10 }])
  })

  it('concurrent creates, changes and deletes of the same snippets never fail, and the counter stays exact', async () => {
    const drafts = Array.from({ length: 10 }, () => snippetDraft(fixture))
    for (const draft of drafts) await fixture.ports.snippets.add(draft, null, null)
    await Promise.all(
      drafts.flatMap(({ id }, index) => [
        fixture.ports.snippets.change(ann, id, { title: `A ${index}` }, noCheck, true),
        fixture.ports.snippets.add(snippetDraft(fixture), null, null),
        fixture.ports.snippets.change(ann, id, { title: `B ${index}` }, noCheck, true),
        index % 2 === 0 ? fixture.ports.snippets.remove(ann, id, noCheck, true) : null,
      ]),
    )
    expect(await rows()).toEqual({ counter: 15, rows: 15 })
  })
})
