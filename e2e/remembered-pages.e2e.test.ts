import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ApiClient } from './harness/api-client.js'
import { figure } from './harness/scrape.js'
import { startSystem, type TestSystem } from './harness/system.js'

let system: TestSystem
beforeAll(async () => {
  system = await startSystem({ gateways: 2, env: { METRICS_PORT: '0' } })
})
afterAll(() => system?.stop())

interface Listed {
  readonly snippets: readonly { readonly id: string; readonly title: string; readonly updated_at: string }[]
  readonly next_cursor: string | null
}

const lists = ['', '?limit=3', '?include_data=false', '?tool=csv', '?tool=csv&limit=2&include_data=false']

/** How many pages the gateways have found to be as they remembered them. */
async function unchanged(): Promise<number> {
  const labels = { outcome: 'unchanged' }
  const figures = system.gateways.map((one) => figure(one, 'snipkeep_page_memory_lookups_total', labels))
  return (await Promise.all(figures)).reduce((sum, value) => sum + value, 0)
}

/** The list as its snippets, read one by one, say it must be. */
async function expected(ann: ApiClient, ids: readonly string[], query: string): Promise<unknown> {
  const search = new URLSearchParams(query)
  const all = await Promise.all(
    ids.map(async (id) => (await ann.get(`/api/snippets/${id}`)).json<Record<string, unknown>>()),
  )
  const found = all
    .filter(({ tool }) => search.get('tool') === null || tool === search.get('tool'))
    .toSorted((a, b) => (`${b.created_at} ${b.id}` < `${a.created_at} ${a.id}` ? -1 : 1))
    .slice(0, Number(search.get('limit') ?? 20))
  return found.map(({ data, ...rest }) => (search.get('include_data') === 'false' ? rest : { ...rest, data }))
}

it('a list that was sent before is sent again only as long as nothing of it has changed', async () => {
  const ann = await system.user('ann', 'pro')
  const anns = [ann, await system.user('ann', 'pro', 1)]
  const ids: string[] = []
  const add = async (tool: string): Promise<void> => {
    const { status, text } = await ann.post('/api/snippets', {
      tool,
      title: 'ünï 😀',
      data: { v: ids.length },
    })
    expect(status, text).toBe(201)
    ids.unshift(JSON.parse(text).id)
  }
  const patch = (fields: object) => async (): Promise<void> => {
    expect((await ann.patch(`/api/snippets/${ids[1]}`, fields)).status).toBe(200)
  }
  const changes: readonly (() => Promise<void>)[] = [
    () => add('csv'),
    () => add('json'),
    () => add('csv'),
    () => add('csv'),
    patch({ title: 'Renamed' }),
    patch({ tags: ['a'] }),
    patch({ data: { v: 'else' } }),
    patch({ tool: 'csv' }),
    async () => {
      expect((await ann.delete(`/api/snippets/${ids[2]}`)).status).toBe(200)
      ids.splice(2, 1)
    },
    () => add('csv'),
  ]
  for (const change of changes) {
    await change()
    for (const query of lists) {
      const wanted = await expected(ann, ids, query)
      for (const client of [...anns, ...anns]) {
        const answer = await client.get(`/api/snippets${query}`)
        expect(answer.json<Listed>().snippets, query).toEqual(wanted)
      }
    }
  }
  // The second time at each gateway, and the first where a change did not concern the list.
  expect(await unchanged()).toBeGreaterThanOrEqual(2 * changes.length * lists.length)
})
