import { expect, it } from 'vitest'
import { Snipkeep } from '#sdk/exports.js'
import { readKept } from './read-kept.js'

const candidate = '/api/checks/c/raw'
const baseline = '/api/snippets/s/revisions/3/raw'
const check = { id: 'c', snippet_id: 's', baseline_version: 3 }
const { signal } = new AbortController()

/** An API with these refusals, and what it was asked. */
function fixture(refusals: Readonly<Record<string, number>>) {
  const asked: Request[] = []
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    asked.push(request)
    const status = refusals[new URL(request.url).pathname]
    if (status === undefined) return new Response('{', { status: 206 })
    return Response.json({ code: 'x', detail: 'The API says so.' }, { status })
  }
  return { api: new Snipkeep({ server: 'https://snipkeep.example', fetch, retries: 0 }), asked }
}

it.each([
  ['both', {}, { candidate: true, baseline: true }],
  ['no baseline any more', { [baseline]: 404 }, { candidate: true, baseline: false }],
  ['no candidate any more', { [candidate]: 404 }, { candidate: false, baseline: true }],
  ['an empty candidate', { [candidate]: 416 }, { candidate: true, baseline: true }],
  ['what the viewer is to say', { [candidate]: 500, [baseline]: 403 }, { candidate: true, baseline: true }],
] as const)('there is %s', async (_what, refusals, kept) => {
  expect(await readKept(fixture(refusals).api, check, { signal })).toEqual(kept)
})

it('one byte of each is asked for, and nothing of a baseline that never was', async () => {
  const { api, asked } = fixture({})
  await readKept(api, check, { signal })
  await readKept(api, { ...check, snippet_id: null, baseline_version: null }, { signal })
  const ranges = asked.map(({ url, headers }) => [new URL(url).pathname, headers.get('Range')])
  expect(ranges).toEqual([
    [candidate, 'bytes=0-0'],
    [baseline, 'bytes=0-0'],
    [candidate, 'bytes=0-0'],
  ])
})

it('without an answer nothing is known', async () => {
  const fetch = () => Promise.reject(new TypeError('offline'))
  const api = new Snipkeep({ server: 'https://snipkeep.example', fetch, retries: 0 })
  await expect(readKept(api, check, { signal })).rejects.toThrow()
})
