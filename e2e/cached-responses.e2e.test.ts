import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ApiClient } from './harness/api-client.js'
import { figure } from './harness/scrape.js'
import { startSystem, type TestSystem } from './harness/system.js'

let system: TestSystem
beforeAll(async () => {
  system = await startSystem({ gateways: 2, env: { METRICS_PORT: '0' } })
})
afterAll(() => system?.stop())

interface Listed {
  readonly snippets: readonly unknown[]
  readonly next_cursor: string | null
}

/** The current state of a snippet. */
type Known = Record<string, unknown> & { readonly id: string; readonly tool: string; readonly data: unknown }

/** Ann's snippets, newest first, according to the responses to changes. */
let known: Known[]
let ann: ApiClient
/** The same user twice at each gateway, in turns: the second read may be cached. */
let anns: readonly ApiClient[]

beforeEach(async (context) => {
  const name = `ann ${context.task.id}`
  ann = await system.user(name, 'pro')
  const other = await system.user(name, 'pro', 1)
  anns = [ann, other, ann, other]
  known = []
})

async function add(tool: string): Promise<void> {
  const data = { v: known.length, text: 'ünï 😀' }
  const made = await ann.post('/api/snippets', { tool, title: 'ünï 😀', data })
  expect(made.status, made.text).toBe(201)
  known.unshift({ ...made.json<Known>(), data })
}

const patch = (fields: { readonly data?: unknown; readonly [name: string]: unknown }) => async () => {
  const before = known[1]
  const changed = await ann.patch(`/api/snippets/${before?.id}`, fields)
  expect(changed.status, changed.text).toBe(200)
  known[1] = { ...changed.json<Known>(), data: fields.data ?? before?.data }
}

async function remove(): Promise<string> {
  const [gone] = known.splice(2, 1)
  expect((await ann.delete(`/api/snippets/${gone?.id}`)).status).toBe(200)
  return gone?.id ?? ''
}

const changes: readonly (() => Promise<unknown>)[] = [
  () => add('csv'),
  () => add('json'),
  () => add('csv'),
  () => add('csv'),
  patch({ title: 'Renamed' }),
  patch({ tags: ['a'] }),
  patch({ data: { v: 'else' } }),
  patch({ tool: 'csv' }),
  remove,
  () => add('csv'),
]

/** How often the gateways revalidated a cached response. */
async function unchanged(of: 'page' | 'snippet'): Promise<number> {
  const name = `snipkeep_${of}_memory_lookups_total`
  const figures = system.gateways.map((one) => figure(one, name, { outcome: 'unchanged' }))
  return (await Promise.all(figures)).reduce((sum, value) => sum + value, 0)
}

it('a cached list is revalidated only if none of it has changed', async () => {
  const lists = ['', '?limit=3', '?include_data=false', '?tool=csv', '?tool=csv&limit=2&include_data=false']
  const before = await unchanged('page')
  for (const change of changes) {
    await change()
    for (const query of lists) {
      const search = new URLSearchParams(query)
      const expected = known
        .filter(({ tool }) => search.get('tool') === null || tool === search.get('tool'))
        .slice(0, Number(search.get('limit') ?? 20))
        .map(({ data, ...rest }) => (search.get('include_data') === 'false' ? rest : { ...rest, data }))
      for (const client of anns) {
        const response = await client.get(`/api/snippets${query}`)
        expect(response.json<Listed>().snippets, query).toEqual(expected)
      }
    }
  }
  // The second time at each gateway, and the first if a change did not affect the list.
  expect((await unchanged('page')) - before).toBeGreaterThanOrEqual(2 * changes.length * lists.length)
})

it('a cached snippet is revalidated only if none of it has changed', async () => {
  const bob = await system.user('bob', 'pro')
  const before = await unchanged('snippet')
  let reads = 0
  for (const change of changes) {
    const gone = await change()
    for (const client of anns) {
      const responses = await Promise.all(known.map(({ id }) => client.get(`/api/snippets/${id}`)))
      expect(responses.map((response) => response.json<Known>())).toEqual(known)
      const raws = await Promise.all(known.map(({ id }) => client.get(`/api/snippets/${id}/raw`)))
      expect(raws.map((raw) => raw.json<unknown>())).toEqual(known.map(({ data }) => data))
      expect(raws.map(({ headers }) => headers.get('etag'))).toEqual(
        responses.map(({ headers }) => headers.get('etag')),
      )
      reads += known.length
      if (typeof gone === 'string') expect((await client.get(`/api/snippets/${gone}`)).status).toBe(404)
    }
    for (const { id } of known) expect((await bob.get(`/api/snippets/${id}`)).status).toBe(403)
  }
  // All but the first read of each version at each gateway; each was read twice, and as often raw.
  expect((await unchanged('snippet')) - before).toBeGreaterThanOrEqual(reads)
})
