import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SnippetFilter } from '../domain/snippet-reads.js'

import { ann, bob, snippetFilter } from '../testing/content-fixture.js'
import { openPostgresFixture, type PostgresFixture } from '../testing/postgres-fixture.js'

let fixture: PostgresFixture

/** Creates `count` snippets of one owner, one per second, the newest `age` seconds ago. */
async function fill(owner: string, name: string, count: number, age: number, tags: readonly string[]) {
  await fixture.pool.query(
    `INSERT INTO snippet (owner_id, id, tool, title, tags, words, size_bytes, sha256, data, created_at, updated_at)
     SELECT $1, $2 || made.n, CASE WHEN made.n % 2 = 0 THEN 'even' ELSE 'odd' END, $2 || ' ' || made.n, $5::text[], ARRAY[$2] || $5::text[],
       2, sha256('{}'), '{}', made.at, made.at
     FROM (SELECT steps.n, date_trunc('milliseconds', now()) - ($4 + $3 - steps.n) * interval '1 second' AS at
       FROM generate_series(1, $3::int) AS steps (n)) AS made`,
    [owner, name, count, age, tags],
  )
}

/** The titles on all pages, in order. */
async function titles(fields: Partial<SnippetFilter>): Promise<string[]> {
  const found: string[] = []
  let after: SnippetFilter['after'] = null
  do {
    const page = await fixture.ports.snippets.list(snippetFilter({ ...fields, after }))
    found.push(...page.items.map(({ record }) => record.title))
    after = page.next
  } while (after !== null)
  return found
}

const downFrom = (name: string, last: number, step = 1): string[] =>
  Array.from({ length: Math.floor(last / step) }, (_, n) => `${name} ${last - n * step}`)

beforeAll(async () => {
  fixture = await openPostgresFixture('content_search')
})
afterAll(() => fixture?.close())

describe('a search in Postgres among thousands of snippets', () => {
  beforeEach(async () => {
    await fixture.reset()
    await fill(ann, 'old', 33, 1_000_000, ['project'])
    await fill(ann, 'new', 4_500, 100, ['other'])
    await fill(ann, 'newest', 7, 0, ['project'])
    await fill(bob, 'foreign', 2_500, 50, ['project'])
  })

  it('finds tags that only the oldest have, newest first and each once, whatever the page size', async () => {
    const expected = [...downFrom('newest', 7), ...downFrom('old', 33)]
    for (const itemsMax of [3, 7, 20, 100]) {
      for (const includeData of [true, false])
        expect(await titles({ tags: ['project'], itemsMax, includeData })).toEqual(expected)
    }
    expect(await titles({ words: ['project'], itemsMax: 20 })).toEqual(expected)
    expect(await titles({ words: ['old'], tags: ['project'], itemsMax: 20 })).toEqual(downFrom('old', 33))
  })

  it('also filters by tool', async () => {
    const odd = [...downFrom('newest', 7, 2), 'newest 1', ...downFrom('old', 33, 2), 'old 1']
    expect(await titles({ tool: 'odd', tags: ['project'], itemsMax: 4 })).toEqual(odd)
  })

  it('finds no unknown terms, and everything for a frequent one', async () => {
    expect(await titles({ tags: ['unknown'] })).toEqual([])
    expect(await titles({ tags: ['project', 'other'] })).toEqual([])
    expect(await titles({ words: ['new'], itemsMax: 100 })).toEqual(downFrom('new', 4_500))
  })
})
