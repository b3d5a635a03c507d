import { afterEach, expect, it, vi } from 'vitest'
import { createApi, withQuery } from './api.js'
import { ApiProblem } from './api-problem.js'

afterEach(() => vi.unstubAllGlobals())

/** A server that accepts one credential, and a session that may renew its own to it. */
function server(good: string, renewed: string | null) {
  const seen: Request[] = []
  let token = 'old'
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const request = new Request(new URL(path, 'http://localhost'), init)
    seen.push(request)
    if (request.headers.get('Authorization') === `Bearer ${good}`)
      return Response.json({ path }, { headers: { ETag: '"e1"' } })
    return Response.json({ code: 'invalid_token', detail: 'No.' }, { status: 401 })
  })
  const session = {
    credential: async () => token,
    renew: async () => {
      if (renewed !== null) token = renewed
      return renewed !== null
    },
  }
  return { seen, api: createApi(session) }
}

it('a request carries the credential, and its response the ETag', async () => {
  const { api } = server('old', null)
  expect(await api.send({ path: '/api/snippets' })).toEqual({ body: { path: '/api/snippets' }, etag: '"e1"' })
})

it('a rejected credential is renewed, and the request sent once more', async () => {
  const { api, seen } = server('new', 'new')
  await api.send({ method: 'POST', path: '/api/shares', body: { a: 1 } })
  expect(seen.map(({ headers }) => headers.get('Authorization'))).toEqual(['Bearer old', 'Bearer new'])
  expect(await seen[1]?.json()).toEqual({ a: 1 })
})

it('a credential that stays rejected is a problem, not a loop', async () => {
  const { api, seen } = server('other', 'new')
  await expect(api.send({ path: '/api/snippets' })).rejects.toMatchObject({
    status: 401,
    code: 'invalid_token',
  })
  expect(seen).toHaveLength(2)
})

it('a network failure is a problem with a code', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const api = createApi({ credential: async () => null, renew: async () => false })
  const problem = await api.send({ path: '/api/snippets' }).catch((error: unknown) => error)
  expect(problem).toBeInstanceOf(ApiProblem)
  expect(problem).toMatchObject({ status: 0, code: 'network' })
})

it('a query leaves out empty values and repeats lists', () => {
  expect(withQuery('/api/snippets', { q: '', tag: ['a b', 'c&d'], limit: 20, cursor: null })).toBe(
    '/api/snippets?tag=a+b&tag=c%26d&limit=20',
  )
  expect(withQuery('/api/snippets', { tag: [] })).toBe('/api/snippets')
})
