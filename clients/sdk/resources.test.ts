import { beforeEach, expect, it } from 'vitest'
import { Snipkeep } from './snipkeep.js'

let calls: {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string
}[]
let outcomes: Response[]

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers })

function client(): Snipkeep {
  return new Snipkeep({
    server: 'https://s.example/',
    async fetch(input, init) {
      calls.push({
        method: init?.method ?? 'GET',
        url: String(input),
        headers: new Headers(init?.headers),
        body: await new Response(init?.body ?? null).text(),
      })
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

it('rules of a contract are sent as they are written', async () => {
  const contract = json(200, { version: 2 }, { ETag: '"c2"' })
  outcomes = [contract, new Response(null, { status: 204 })]
  const text = '{"schema":{"maximum":1.10}}'
  expect(await client().contracts.put('@a', text, { ifMatch: '"c1"' })).toEqual({ version: 2, etag: '"c2"' })
  expect(await client().contracts.remove('@a', { ifMatch: '"c2"' })).toBeUndefined()
  const [put, removed] = calls
  expect([put?.method, put?.url, put?.body]).toEqual([
    'PUT',
    'https://s.example/api/snippets/@a/contract',
    text,
  ])
  expect(put?.headers.get('If-Match')).toBe('"c1"')
  expect([removed?.method, removed?.headers.get('If-Match')]).toEqual(['DELETE', '"c2"'])
})

it('a candidate is sent as data or as it is, with what may become of it in the query', async () => {
  const { checks } = client()
  const how = { accept: 'allowed', source: 'https://ci.example/1' } as const
  await checks.create('@a', { data: { n: 1 }, tool: 'csv', ...how })
  await checks.create('@a', { content: 'id\n1\n', key: 'csv', title: 'T', ...how, idempotencyKey: 'k' })
  await checks.create('@a', { json: '{"n":1.10}' })
  const query = 'accept=allowed&source=https%3A%2F%2Fci.example%2F1'
  expect(calls.map(({ url, body }) => [url.replace('https://s.example', ''), body])).toEqual([
    [`/api/snippets/@a/checks?${query}`, '{"tool":"csv","data":{"n":1}}'],
    [`/api/snippets/@a/checks?title=T&key=csv&${query}`, 'id\n1\n'],
    ['/api/snippets/@a/checks', '{"n":1.10}'],
  ])
  expect(calls[0]?.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f-]{36}$/)
  expect(calls[1]?.headers.get('Idempotency-Key')).toBe('k')
})

it('a candidate says what it is called only if there is no snippet yet', async () => {
  const refusal = json(415, { code: 'unsupported_media_type', detail: 'Send JSON.' })
  const ifNew = { tool: 'csv', title: 'T' }
  const create = (more: object) => client().checks.create('@a', { content: 'x', ifNew, ...more })
  await create({})
  outcomes = [refusal.clone()]
  await create({})
  outcomes = [refusal.clone()]
  await expect(create({ tool: 'csv' })).rejects.toMatchObject({ status: 415 })
  outcomes = [refusal.clone()]
  await expect(create({ content: new Blob(['x']).stream() })).rejects.toMatchObject({ status: 415 })
  const queries = calls.map(({ url }) => new URL(url).search)
  expect(queries).toEqual(['', '', '?tool=csv&title=T', '?tool=csv', ''])
  calls = []
  const invalid = (pointer: string) =>
    json(400, { code: 'validation_failed', detail: 'No.', errors: [{ pointer }] })
  outcomes = [invalid('/tool'), json(201, {}), invalid('/title')]
  await create({ content: undefined, data: { n: 1 } })
  await expect(create({ content: undefined, data: { n: 1 } })).rejects.toMatchObject({ status: 400 })
  const bodies = calls.map(({ body }) => body)
  expect(bodies).toEqual([
    '{"data":{"n":1}}',
    '{"tool":"csv","title":"T","data":{"n":1}}',
    '{"data":{"n":1}}',
  ])
})

it('a decision is not repeated by itself: the first may have counted', async () => {
  outcomes = [json(503, { code: 'unavailable', detail: 'Later.' }), json(200, { state: 'approved' })]
  await expect(client().checks.approve('c', 'seen')).rejects.toMatchObject({ code: 'unavailable' })
  expect(calls.map(({ url, body }) => [url, body])).toEqual([
    ['https://s.example/api/checks/c/approve', '{"note":"seen"}'],
  ])
})
