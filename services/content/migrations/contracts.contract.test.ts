import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { contractQuota } from '../domain/contract.js'
import { checkedSnippet, oneBreak, roomy } from '../testing/checked-snippet.js'
import { ann, documentData, inlineData, noCheck } from '../testing/content-fixture.js'
import { findInconsistencies } from '../testing/find-inconsistencies.js'
import { openPostgresFixture, type PostgresFixture } from '../testing/postgres-fixture.js'

let fixture: PostgresFixture
let of: Awaited<ReturnType<typeof checkedSnippet>>

beforeAll(async () => {
  fixture = await openPostgresFixture('content_contracts')
})
afterAll(() => fixture?.close())

/** A snippet with a contract, a small and a large candidate. */
beforeEach(async () => {
  await fixture.reset()
  of = await checkedSnippet(fixture)
  const rules = { rules: '{}', principal: null }
  await fixture.ports.contracts.put(of.snippet, rules, noCheck, contractQuota('pro', { contracts: null }))
  await of.send()
  await of.send({ data: await documentData(fixture, ann, '[1]'), judgement: { breaks: oneBreak } })
})

async function numbersOf(sql: string): Promise<unknown> {
  const { rows } = await fixture.pool.query({ text: sql, rowMode: 'array' })
  return rows
}

it('may run again on a schema that is in use: nothing changes, and all bytes are counted once', async () => {
  await fixture.migrateAgain(['0020-contracts', '0021-vacuum-checks-sooner'])
  const check = await of.send({ judgement: { breaks: oneBreak } })
  await of.decide(check.id, true)
  expect(await of.stored()).toBe(7 + 7 + 7 + 3 + 2 * Buffer.byteLength(oneBreak))
  expect(await findInconsistencies(fixture.pool)).toEqual([])
})

it('a delete by the previous release removes the contract and the checks, and frees their documents', async () => {
  await fixture.pool.query('DELETE FROM snippet WHERE owner_id = $1 AND id = $2', [ann, of.snippet.id])
  expect(
    await numbersOf('SELECT id FROM snippet_check UNION ALL SELECT snippet_id FROM snippet_contract'),
  ).toEqual([])
  expect(await numbersOf('SELECT unclaimed_since IS NOT NULL FROM document')).toEqual([[true]])
  expect([await of.stored(), await findInconsistencies(fixture.pool)]).toEqual([
    3,
    ['counted 1 snippets of 0'],
  ])
})

it('a change by the previous release leaves candidates alone, which no one can approve then', async () => {
  await fixture.pool.query(
    `UPDATE snippet SET version = version + 1, size_bytes = 2, sha256 = '\\x00', data = '{}', updated_at = now()
     WHERE owner_id = $1 AND id = $2`,
    [ann, of.snippet.id],
  )
  const { items } = await of.list({ state: 'pending' })
  expect(items).toHaveLength(2)
  for (const { id } of items)
    await expect(of.decide(id, true)).rejects.toMatchObject({ code: 'baseline_changed' })
  expect(await numbersOf('SELECT unclaimed_since IS NULL FROM document')).toEqual([[true]])
})

it('no row is without its candidate while it is pending, or with one after that', async () => {
  const set = (columns: string) =>
    fixture.pool.query(`UPDATE snippet_check SET ${columns} WHERE data IS NOT NULL`)
  await expect(set('data = NULL')).rejects.toMatchObject({ code: '23514' })
  await expect(set(`state = 'expired'`)).rejects.toMatchObject({ code: '23514' })
  await expect(set(`document_id = 'd'`)).rejects.toMatchObject({ code: '23514' })
})

it('an approved document belongs to its version alone, whatever happens to the check', async () => {
  const large = (await of.list()).items.find(({ digest }) => digest.sizeBytes === 3)
  if (large === undefined) throw new Error('no large candidate')
  await of.decide(large.id, true)
  await fixture.pool.query('DELETE FROM snippet_check')
  const unnamed = 'SELECT unclaimed_since IS NOT NULL FROM document'
  expect(await numbersOf(unnamed)).toEqual([[false]])
  const change = { data: inlineData(fixture, '{}') }
  await fixture.ports.snippets.change(ann, of.snippet.id, change, noCheck, true, { ...roomy, revisions: 0 })
  expect(await numbersOf(unnamed)).toEqual([[true]])
})
