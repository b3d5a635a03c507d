import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { noChangeQuotas } from '../domain/revision.js'
import type { Principal, Snippet } from '../domain/snippet.js'
import { ann, documentData, inlineData, noCheck, snippetDraft } from '../testing/content-fixture.js'
import { openPostgresFixture, type PostgresFixture } from '../testing/postgres-fixture.js'

let fixture: PostgresFixture
let snippet: Snippet
const principal: Principal = { kind: 'owner', id: null, label: null }
const quotas = { ...noChangeQuotas, revisions: 10 }

beforeAll(async () => {
  fixture = await openPostgresFixture('snippet_revisions')
})
afterAll(() => fixture?.close())

/** Creates a snippet whose document is also named by its first version. */
beforeEach(async () => {
  await fixture.reset()
  const data = await documentData(fixture, ann, '{"v":1}')
  const made = await fixture.ports.snippets.add(snippetDraft(fixture, { principal, data }), null, null)
  if (made === null) throw new Error('no snippet')
  const change = { data: inlineData(fixture, '{"v":2}'), principal }
  await fixture.ports.snippets.change(ann, made.id, change, noCheck, true, quotas)
  const wanted = { ownerId: ann, id: made.id, version: 1, principal, mayApprove: true }
  const restored = await fixture.ports.revisions.restore(wanted, noCheck, quotas, null)
  if (restored === null) throw new Error('there was no snippet')
  snippet = restored
})

/** How the previous release replaces and deletes data; it knows neither revisions nor who made them. */
const replaceBefore = [
  `UPDATE snippet SET title = 'Before', version = version + 1, updated_at = now() WHERE owner_id = $1 AND id = $2`,
  `UPDATE document SET unclaimed_since = now()
   WHERE id = (SELECT document_id FROM snippet WHERE owner_id = $1 AND id = $2)`,
  `UPDATE snippet SET size_bytes = 2, sha256 = '\\x00', data = '{}', document_id = NULL
   WHERE owner_id = $1 AND id = $2`,
]
const removeBefore = [
  `UPDATE document SET unclaimed_since = now()
   WHERE id = (SELECT document_id FROM snippet WHERE owner_id = $1 AND id = $2)`,
  'DELETE FROM snippet WHERE owner_id = $1 AND id = $2',
]

async function write(statements: readonly string[]): Promise<void> {
  for (const statement of statements) await fixture.pool.query(statement, [ann, snippet.id])
}

async function releasedDocuments(): Promise<readonly boolean[]> {
  const { rows } = await fixture.pool.query<{ released: boolean }>(
    'SELECT unclaimed_since IS NOT NULL AS released FROM document',
  )
  return rows.map(({ released }) => released)
}

it("a document that a version names survives when the previous release replaces the snippet's data", async () => {
  await write(replaceBefore)
  expect(await releasedDocuments()).toEqual([false])
  const versions = await fixture.ports.revisions.list(snippet, null, 10)
  expect(versions.map((one) => [one.version, one.title, one.principal])).toEqual([
    [4, 'Before', null],
    [2, 'A title', principal],
    [1, 'A title', principal],
  ])
})

it('a delete by the previous release removes the versions and frees their documents', async () => {
  await write(removeBefore)
  expect(await releasedDocuments()).toEqual([true])
  const { rows } = await fixture.pool.query('SELECT version FROM snippet_revision')
  expect(rows).toEqual([])
})
