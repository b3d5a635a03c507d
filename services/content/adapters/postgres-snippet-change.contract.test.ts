import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import type { Snippet, SnippetChange } from '../domain/snippet.js'
import { ann, bob, inlineData, noCheck, snippetDraft } from '../testing/content-fixture.js'
import { openPostgresFixture, type PostgresFixture } from '../testing/postgres-fixture.js'
import { postgresSnippetStore } from './postgres-snippet-store.js'

let fixture: PostgresFixture

beforeAll(async () => {
  fixture = await openPostgresFixture('content_changes')
})
afterAll(() => fixture?.close())
beforeEach(() => fixture.reset())

async function addSnippets(count: number, owner = bob): Promise<readonly Snippet[]> {
  const added: Snippet[] = []
  for (let n = 0; n < count; n += 1) {
    const snippet = await fixture.ports.snippets.add(snippetDraft(fixture, { ownerId: owner }), null, null)
    if (snippet !== null) added.push(snippet)
  }
  return added
}

function replacement(n: number): SnippetChange {
  return { title: `version ${n}`, data: inlineData(fixture, `{"n":${n}}`) }
}

/** How many transactions have changed the snippets as they are now. */
async function transactionsOf(): Promise<number> {
  const { rows } = await fixture.pool.query('SELECT DISTINCT xmin::text FROM snippet WHERE owner_id = $1', [
    bob,
  ])
  return rows.length
}

it('changes of one owner that arrive together share transactions', async () => {
  const snippets = await addSnippets(33)
  const changed = await Promise.all(
    snippets.map(({ id }, n) => fixture.ports.snippets.change(bob, id, replacement(n), noCheck, true)),
  )
  expect(changed.map((one) => one?.title)).toEqual(snippets.map((_one, n) => `version ${n}`))
  expect(await transactionsOf()).toBe(2)
})

it('changes of one snippet that share a transaction are made in their order, each a version of its own', async () => {
  const [snippet] = await addSnippets(1)
  if (snippet === undefined) throw new Error('no snippet was added')
  const changed = await Promise.all(
    Array.from({ length: 20 }, (_one, n) =>
      fixture.ports.snippets.change(bob, snippet.id, replacement(n), noCheck, true),
    ),
  )
  expect(changed.map((one) => one?.version)).toEqual(
    Array.from({ length: 20 }, (_one, n) => snippet.version + 1 + n),
  )
  const [found] = await fixture.ports.snippets.findAll([{ ownerId: bob, id: snippet.id, includeData: true }])
  expect(found?.record.title).toBe('version 19')
})

it.each<[what: string, title: string, check: () => void]>([
  [
    'whose check fails',
    'T',
    () => {
      throw new DomainError('precondition-failed', 'precondition_failed', 'no')
    },
  ],
  ['that the database cannot store', 'no text: \u0000', noCheck],
])('of changes that arrive together, one %s fails alone and changes nothing', async (_what, title, check) => {
  const snippets = await addSnippets(10)
  const settled = await Promise.allSettled(
    snippets.map(({ id }, n) =>
      n === 4
        ? fixture.ports.snippets.change(bob, id, { ...replacement(n), title }, check, true)
        : fixture.ports.snippets.change(bob, id, replacement(n), noCheck, true),
    ),
  )
  expect(settled.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([4])
  const keys = snippets.map(({ id }) => ({ ownerId: bob, id, includeData: false }))
  const found = await fixture.ports.snippets.findAll(keys)
  expect(found.map((one) => one?.record.version)).toEqual(
    snippets.map(({ version }, n) => (n === 4 ? version : version + 1)),
  )
})

it('an unknown snippet, and one of someone else, are not found among changes that arrive together', async () => {
  const [own] = await addSnippets(1)
  const [other] = await addSnippets(1, ann)
  if (own === undefined || other === undefined) throw new Error('no snippet was added')
  const change = (id: Snippet['id']) => fixture.ports.snippets.change(bob, id, replacement(1), noCheck, true)
  const [first, unknown, foreign] = await Promise.all([
    change(own.id),
    change(fixture.ports.ids.snippet()),
    change(other.id),
  ])
  expect([first?.title, unknown, foreign]).toEqual(['version 1', null, null])
})

it('two processes that change the same snippets in opposite orders both succeed, again and again', async () => {
  const snippets = await addSnippets(8)
  const other = postgresSnippetStore(fixture.pool)
  const changeAll = (store: typeof other, list: readonly Snippet[]) =>
    list.map(({ id }, n) => store.change(bob, id, replacement(n), noCheck, true))
  for (let round = 0; round < 10; round += 1) {
    const changes = [
      ...changeAll(fixture.ports.snippets, snippets),
      ...changeAll(other, snippets.toReversed()),
    ]
    expect((await Promise.all(changes)).every((one) => one !== null)).toBe(true)
  }
  const { rows } = await fixture.pool.query('SELECT DISTINCT version FROM snippet WHERE owner_id = $1', [bob])
  expect(rows).toEqual([{ version: (snippets[0]?.version ?? 0) + 20 }])
})

it('looks for a contract only if what it protects changes, by someone who may not approve', async () => {
  const pool = fixture.openPool({ connectionsMax: 1 })
  const names: string[] = []
  pool.on('connect', (client) => {
    const query: (...given: readonly unknown[]) => unknown = client.query.bind(client)
    const observed = (...given: readonly unknown[]): unknown => {
      const [statement] = given
      if (statement instanceof Object && 'name' in statement) names.push(String(statement.name))
      return query(...given)
    }
    Object.assign(client, { query: observed })
  })
  const { change } = postgresSnippetStore(pool)
  const [snippet] = await addSnippets(1)
  if (snippet === undefined) throw new Error('no snippet was added')
  const statementsOf = async (fields: SnippetChange, mayApprove: boolean): Promise<readonly string[]> => {
    names.length = 0
    await change(bob, snippet.id, fields, noCheck, mayApprove)
    return [...names]
  }
  const data = ['snippet-lock', 'snippet-change-data']
  expect(await statementsOf(replacement(1), true)).toEqual(data)
  expect(await statementsOf(replacement(2), false)).toEqual(['snippet-lock', 'contract-guard', data[1]])
  expect(await statementsOf(replacement(2), false)).toEqual(data)
  expect(await statementsOf({ title: 'Other', tags: ['a'] }, false)).toEqual([
    'snippet-lock',
    'snippet-change',
  ])
})
