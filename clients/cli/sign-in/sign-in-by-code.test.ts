import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { signInByCode } from './sign-in-by-code.js'

type Reply = (response: ServerResponse) => void

let server: Server
/** When each poll arrived. */
let polls: number[]

afterEach(() => {
  vi.restoreAllMocks()
  server.close()
  server.closeAllConnections()
})

function json(body: unknown, status = 200): Reply {
  return (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
const problem = (error: string): Reply => json({ error }, 400)
const pending = problem('authorization_pending')
const brokenConnection: Reply = (response) => response.destroy()
const brokenBody: Reply = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 }).write('{')
  setImmediate(() => response.destroy())
}
const unavailable: Reply = (response) => response.writeHead(503).end('Service Unavailable')
const silence: Reply = () => undefined

function tokensFrom(issuer: string): Reply {
  const at = Math.floor(Date.now() / 1_000)
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: issuer, aud: 'cli', sub: 'ada', iat: at, exp: at + 3_600 }
  const id_token = `${part({ alg: 'RS256' })}.${part(claims)}.c2ln`
  return json({ access_token: 'a', token_type: 'Bearer', id_token })
}

/** Signs in with an issuer that replies so to each poll, and then with tokens. */
async function signIn(replies: readonly Reply[], device: object = {}, signal = new AbortController().signal) {
  let issuer = ''
  polls = []
  const listener: RequestListener = ({ url }, response) => {
    const endpoints = { token_endpoint: `${issuer}/token`, device_authorization_endpoint: `${issuer}/device` }
    if (url === '/.well-known/openid-configuration') return json({ issuer, ...endpoints })(response)
    const codes = { device_code: 'd', user_code: 'ABCD', verification_uri: `${issuer}/enter` }
    if (url === '/device') return json({ ...codes, expires_in: 600, interval: 0.02, ...device })(response)
    const reply = replies[polls.length] ?? tokensFrom(issuer)
    polls.push(performance.now())
    return reply(response)
  }
  server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return signInByCode({ issuer, client_id: 'cli', scopes: 'openid' }, async () => undefined, {
    env: {},
    signal,
  })
}

it.each([
  ['a broken connection', brokenConnection],
  ['a response that breaks off', brokenBody],
  ['an unavailable issuer', unavailable],
])('the sign-in by code goes on after %s', async (_name, failure) => {
  const signedIn = await signIn([pending, failure, pending])
  expect([signedIn.client_id, polls.length]).toEqual(['cli', 4])
})

it('the sign-in by code goes on after an issuer that is silent for too long', async () => {
  const soon = AbortSignal.timeout(100)
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(soon)
  expect((await signIn([silence])).client_id).toBe('cli')
})

it('the sign-in by code asks half as often after each failure', async () => {
  await signIn([brokenConnection, unavailable, brokenConnection])
  const gaps = polls.slice(1).map((at, index) => at - (polls[index] ?? 0))
  // Each wait begins after the poll before has arrived, and a timer may be a millisecond early.
  for (const [index, leastMs] of [40, 80, 160].entries()) expect(gaps[index]).toBeGreaterThan(leastMs - 2)
})

it.each([
  ['fails', Array.from({ length: 99 }, () => unavailable)],
  ['has nothing new', Array.from({ length: 99 }, () => pending)],
  ['says so', [problem('expired_token')]],
])('the sign-in by code ends when its code expires and the issuer %s', async (_name, replies) => {
  await expect(signIn(replies, { expires_in: 0.3 })).rejects.toThrow(
    'The code has expired. Start again: snipkeep login --device',
  )
})

it('the sign-in by code ends at a denial', async () => {
  await expect(signIn([problem('access_denied')])).rejects.toMatchObject({ error: 'access_denied' })
  expect(polls).toHaveLength(1)
})

it('the sign-in by code ends at once when it is aborted', async () => {
  const abort = new AbortController()
  const end: Reply = () => abort.abort()
  await expect(signIn([end], {}, abort.signal)).rejects.toThrow(/abort/)
  expect(polls).toHaveLength(1)
})

it.each(['file:///etc/passwd', 'http://issuer.example/enter'])(
  'the sign-in by code sends nobody to %s',
  async (address) => {
    await expect(signIn([], { verification_uri: address })).rejects.toThrow(
      `The issuer's verification_uri is not an https: address: ${address}`,
    )
    expect(polls).toHaveLength(0)
  },
)
