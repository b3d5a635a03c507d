import { beforeEach, expect, it } from 'vitest'
import { Snipkeep } from './snipkeep.js'

let calls: { readonly url: string; readonly headers: Headers }[]
let outcomes: Response[]

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers })

function client(): Snipkeep {
  return new Snipkeep({
    server: 'https://s.example/',
    async fetch(input, init) {
      calls.push({ url: String(input), headers: new Headers(init?.headers) })
      return outcomes.shift() ?? json(200, {})
    },
  })
}

beforeEach(() => {
  calls = []
  outcomes = []
})

it('a list is read to its end, at most one page ahead', async () => {
  const page = (id: string, next: string | null) => json(200, { snippets: [{ id }], next_cursor: next })
  outcomes = [page('a', '1'), page('b', '2'), page('c', null)]
  const found: string[] = []
  for await (const { id } of client().snippets.list({ tool: 'csv' })) {
    found.push(id)
    if (id === 'a') expect(calls.length).toBeLessThanOrEqual(2)
  }
  expect(found).toEqual(['a', 'b', 'c'])
  expect(calls.map(({ url }) => new URL(url).search)).toEqual([
    '?tool=csv',
    '?tool=csv&cursor=1',
    '?tool=csv&cursor=2',
  ])
})

it('the first items of a list need no further page', async () => {
  const page = (ids: string[], next: string | null) =>
    json(200, { snippets: ids.map((id) => ({ id })), next_cursor: next })
  outcomes = [page(['a', 'b'], 'c1'), page(['c', 'd'], 'c2')]
  const first = await client().snippets.list({ limit: 2 }).first(3)
  expect(first.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(calls.map(({ url }) => new URL(url).searchParams.get('cursor'))).toEqual([null, 'c1'])
})

it('a list has single pages, by their cursors', async () => {
  outcomes = [json(200, { history: [], next_cursor: 'c2' }), json(200, { history: [], next_cursor: null })]
  expect(await client().history.list({ tool: 'csv' }).page()).toEqual({ items: [], nextCursor: 'c2' })
  expect(await client().history.list({ tool: 'csv' }).page('c2')).toEqual({ items: [], nextCursor: null })
  expect(calls.map(({ url }) => new URL(url).search)).toEqual(['?tool=csv', '?tool=csv&cursor=c2'])
})

it('what is read and written has the ETag that a change needs', async () => {
  const tagged = (etag: string) => json(200, { id: 'a' }, { ETag: etag })
  outcomes = [tagged('"e1"'), tagged('"e2"'), tagged('"e3"'), json(200, { id: 'a' })]
  const sk = client()
  expect((await sk.snippets.get('a')).etag).toBe('"e1"')
  expect((await sk.snippets.update('a', { title: 'T', ifMatch: '"e1"' })).etag).toBe('"e2"')
  expect((await sk.snippets.restore('a', 1, { ifMatch: '"e2"' })).etag).toBe('"e3"')
  expect((await sk.snippets.get('a')).etag).toBeNull()
  expect(calls.map(({ headers }) => headers.get('If-Match'))).toEqual([null, '"e1"', '"e2"', null])
})

it('the settings of a server need no credentials', async () => {
  outcomes = [
    json(200, { sign_in: null, public_base_url: 'https://s.example', share_base_url: 'https://u.example' }),
  ]
  expect((await client().config()).share_base_url).toBe('https://u.example')
  expect(calls[0]?.url).toBe('https://s.example/config.json')
})

it('an archive has the name that the server gives it, and what fetches by itself the headers of the caller', async () => {
  outcomes = [
    new Response('x', { headers: { 'Content-Disposition': 'attachment; filename="all.tar.gz"' } }),
    new Response('y'),
  ]
  const archive = await client().account.exportArchive()
  expect([archive.fileName, await (await archive.blob()).text()]).toEqual(['all.tar.gz', 'x'])
  expect((await client().account.exportArchive()).fileName).toBeNull()
  const auth = { headers: async () => ({ Authorization: 'Bearer t' }) }
  expect(await new Snipkeep({ server: 'https://s.example', auth }).headers()).toEqual({
    Authorization: 'Bearer t',
  })
  expect(await client().headers()).toEqual({})
})
