import { afterEach, expect, it, vi } from 'vitest'
import type { Auth, AuthCall } from './auth.js'
import { githubActions, gitlab } from './ci-auth.js'
import { ProblemError } from './problem-error.js'

const server = 'https://s.example/'
const start = Date.UTC(2030, 0, 1)

afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

/** A server and the endpoint of GitHub's runner, which issue a new token each time. */
function world(refusal: Response | null = null) {
  const asked: string[] = []
  const forms: URLSearchParams[] = []
  let given = 0
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input))
    asked.push(url.href)
    // Cloudflare's workerd lacks the mode `error`.
    if (init.redirect !== 'manual') throw new TypeError('Invalid redirect value')
    if (url.host === 'runner.example') {
      expect(new Headers(init.headers).get('Authorization')).toBe('Bearer runner secret')
      return Response.json({ value: `id ${asked.length}` })
    }
    if (refusal !== null) return refusal
    forms.push(new URLSearchParams(String(init.body)))
    given += 1
    return Response.json({ access_token: `snx_${given}`, expires_in: 900, token_type: 'Bearer' })
  }
  const call: AuthCall = { server, fetch: fetch as typeof globalThis.fetch }
  return { asked, forms, headers: (auth: Auth) => auth.headers(call) }
}

function inGithub(): void {
  vi.stubEnv('ACTIONS_ID_TOKEN_REQUEST_URL', 'https://runner.example/token?api-version=2')
  vi.stubEnv('ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'runner secret')
}

it('a GitHub Actions job requests a token for this server and exchanges it, once for concurrent requests', async () => {
  inGithub()
  const { asked, forms, headers } = world()
  const auth = githubActions({ trust: 'tp_x' })
  const all = await Promise.all([headers(auth), headers(auth), headers(auth)])
  expect(all).toEqual(Array(3).fill({ Authorization: 'Bearer snx_1' }))
  expect(asked).toEqual([
    'https://runner.example/token?api-version=2&audience=https%3A%2F%2Fs.example',
    'https://s.example/api/oauth/token',
  ])
  expect(Object.fromEntries(forms[0] ?? [])).toMatchObject({
    trusted_publisher: 'tp_x',
    subject_token: 'id 1',
  })
})

it('a GitHub Actions job gets a new token five minutes before expiry, and after a rejection', async () => {
  inGithub()
  vi.useFakeTimers({ now: start, toFake: ['Date'] })
  const { headers } = world()
  const auth = githubActions({ trust: 'tp_x' })
  await headers(auth)
  vi.setSystemTime(start + 599_000)
  expect(await headers(auth)).toEqual({ Authorization: 'Bearer snx_1' })
  vi.setSystemTime(start + 600_000)
  expect(await headers(auth)).toEqual({ Authorization: 'Bearer snx_2' })
  expect(auth.renew?.()).toBe(true)
  expect(await headers(auth)).toEqual({ Authorization: 'Bearer snx_3' })
})

it('a GitLab job exchanges its token only once, since it cannot be reused', async () => {
  vi.stubEnv('SNIPKEEP_ID_TOKEN', 'a.b.c')
  vi.useFakeTimers({ now: start, toFake: ['Date'] })
  const { forms, headers } = world()
  const auth = gitlab({ trust: 'tp_x' })
  await headers(auth)
  vi.setSystemTime(start + 3_600_000)
  expect(await headers(auth)).toEqual({ Authorization: 'Bearer snx_1' })
  expect(auth.renew?.()).toBe(false)
  expect(forms.map((form) => form.get('subject_token'))).toEqual(['a.b.c'])
})

it('missing and rejected tokens are reported', async () => {
  const { headers } = world()
  await expect(headers(githubActions({ trust: 'tp_x' }))).rejects.toThrow('id-token: write')
  await expect(headers(gitlab({ trust: 'tp_x', idToken: '' }))).rejects.toThrow('SNIPKEEP_ID_TOKEN')
  const body = { error: 'invalid_grant', code: 'invalid_grant', detail: 'no' }
  const refusing = world(Response.json(body, { status: 400 }))
  const refused = refusing.headers(gitlab({ trust: 'tp_x', idToken: 'a.b.c' }))
  await expect(refused).rejects.toBeInstanceOf(ProblemError)
  await expect(refused).rejects.toMatchObject({ code: 'invalid_grant', status: 400 })
})

it('a token is never sent on to where the server redirects', async () => {
  vi.stubEnv('SNIPKEEP_ID_TOKEN', 'id')
  const { asked, headers } = world(
    new Response(null, { status: 307, headers: { Location: 'https://evil.example/' } }),
  )
  const failure = headers(gitlab({ trust: 'tp_x' }))
  await expect(failure).rejects.toMatchObject({
    name: 'ConnectionError',
    message: expect.stringContaining('https://s.example redirects'),
  })
  expect(asked).toHaveLength(1)
})
