import { AuthorizationResponseError, OperationProcessingError } from 'oauth4webapi'
import { expect, it } from 'vitest'
import type { IssuerClient, PendingSignIn, Tokens } from './issuer-client.js'
import { createSession, type Session, type SessionParts, wasSignedIn } from './session.js'

const hour = 3_600_000
const origin = 'http://localhost:8080'

function refusal(error: string): AuthorizationResponseError {
  return new AuthorizationResponseError('refused', { cause: new URLSearchParams({ error }) })
}

/** A browser tab, its issuer, and a session that each page load creates anew. */
function tab(options: { redeem?: () => Tokens; refresh?: () => Tokens; refreshToken?: string | null } = {}) {
  const items = new Map<string, string>()
  let path = '/dashboard/snippets?tag=a'
  let nowMs = 0
  const left: string[] = []
  const started: PendingSignIn[] = []
  const tokens = (idToken: string): Tokens => ({
    idToken,
    refreshToken: options.refreshToken ?? null,
    logoutHint: 'ada',
    expiresAtMs: nowMs + hour,
    name: 'Ada',
  })
  const issuer: IssuerClient = {
    begin: async ({ returnTo, silent }) => {
      const pending = { state: 's', nonce: 'n', verifier: 'v', returnTo, silent }
      started.push(pending)
      return { pending, address: new URL(`https://id.example/auth?silent=${silent}`) }
    },
    redeem: async () => options.redeem?.() ?? tokens('first'),
    refresh: async () => options.refresh?.() ?? tokens('second'),
    endAddress: async () => new URL('https://id.example/end'),
  }
  const parts: SessionParts = {
    issuer: async () => issuer,
    storage: {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
    },
    address: () => new URL(path, origin),
    redirectTo: (address) => void left.push(address),
    showPath: (shown) => {
      path = shown
    },
    now: () => nowMs,
    isSecure: true,
  }
  const load = async (): Promise<Session> => {
    const session = createSession(parts)
    await session.start()
    return session
  }
  return {
    parts,
    left,
    started,
    items,
    load,
    path: () => path,
    open: (address: string) => {
      path = address
    },
    pass: (ms: number) => {
      nowMs += ms
    },
    /** The issuer redirects the browser back. */
    comeBack: async () => {
      path = '/auth/callback?code=c&state=s'
      return load()
    },
  }
}

async function signedIn(browser: ReturnType<typeof tab>): Promise<Session> {
  const session = await browser.load()
  await session.signIn()
  return browser.comeBack()
}

it('after signing in, the user returns to the requested page', async () => {
  const browser = tab()
  const session = await signedIn(browser)
  expect(browser.left).toEqual(['https://id.example/auth?silent=false'])
  expect(session.state()).toEqual({ kind: 'signed-in', name: 'Ada', endsAtMs: null })
  expect(browser.path()).toBe('/dashboard/snippets?tag=a')
  expect(await session.credential()).toBe('first')
})

it('no token is ever stored', async () => {
  const browser = tab({ refreshToken: 'refresh-me' })
  await signedIn(browser)
  expect([...browser.items].flat().join()).not.toMatch(/first|refresh-me/)
})

it('after a reload the issuer is asked once, silently', async () => {
  const browser = tab()
  await signedIn(browser)
  const reloaded = await browser.load()
  expect(browser.started.at(-1)?.silent).toBe(true)
  expect(reloaded.state().kind).toBe('starting')
  await browser.load()
  expect(browser.started).toHaveLength(2)
})

it('a tool page gets the sign-in handed over, redeems it once, and stores no token', async () => {
  const browser = tab()
  browser.open('/tools/json-format#indent=4')
  const before = createSession(browser.parts)
  await before.resume()
  expect(before.state()).toEqual({ kind: 'signed-out', failure: null })
  await before.signIn(wasSignedIn(browser.parts.storage) ? 'silent' : undefined)
  await browser.comeBack()
  expect(browser.left).toEqual(['https://id.example/auth?silent=false', '/tools/json-format#indent=4'])
  browser.open('/tools/json-format#indent=4')
  const after = createSession(browser.parts)
  await after.resume()
  expect(await after.credential()).toBe('first')
  expect([...browser.items].flat().join()).not.toMatch(/first|code=/)
  // The next page of this tab asks the issuer, silently.
  const next = createSession(browser.parts)
  await next.resume()
  expect(await next.credential()).toBeNull()
  await next.signIn(wasSignedIn(browser.parts.storage) ? 'silent' : undefined)
  expect(browser.started.at(-1)?.silent).toBe(true)
})

it('an issuer that needs interaction leads to the sign-in page, not into a loop', async () => {
  let asked = 0
  const browser = tab({
    redeem: () => {
      asked += 1
      if (asked > 1) throw refusal('login_required')
      return { idToken: 'first', refreshToken: null, logoutHint: 'ada', expiresAtMs: hour, name: 'Ada' }
    },
  })
  await signedIn(browser)
  await browser.load()
  const back = await browser.comeBack()
  expect(back.state()).toEqual({ kind: 'signed-out', failure: null })
  await browser.load()
  expect(browser.left).toHaveLength(2)
})

it.each(['/dashboard/shares/AAAAAAAAAAAAAAAAAAAAAA', '/dashboard/checks/AAAAAAAAAAAAAAAAAAAAAA'])(
  'a visitor to %s is signed in silently, and sees the sign-in page only if that fails',
  async (path) => {
    const browser = tab({
      redeem: () => {
        throw refusal('login_required')
      },
    })
    browser.open(path)
    const first = await browser.load()
    expect(first.state().kind).toBe('starting')
    expect(browser.started).toMatchObject([{ silent: true, returnTo: path }])
    const back = await browser.comeBack()
    expect(back.state()).toEqual({ kind: 'signed-out', failure: null })
    expect(browser.path()).toBe(path)
    browser.open('/dashboard/shares')
    await browser.load()
    expect(browser.started).toHaveLength(1)
  },
)

it('an unexpected callback signs no one in', async () => {
  const browser = tab()
  const session = await browser.comeBack()
  expect(session.state()).toEqual({ kind: 'signed-out', failure: 'interrupted' })
  expect(browser.path()).toBe('/dashboard')
})

it.each([
  [refusal('access_denied'), 'refused'],
  [new OperationProcessingError('unexpected nonce'), 'invalid'],
  [new TypeError('Failed to fetch'), 'unreachable'],
] as const)('%s becomes %s', async (error, failure) => {
  const browser = tab({
    redeem: () => {
      throw error
    },
  })
  expect((await signedIn(browser)).state()).toEqual({ kind: 'signed-out', failure })
})

it('a credential is renewed before it expires, once for concurrent requests', async () => {
  let renewals = 0
  const browser = tab({
    refreshToken: 'r',
    refresh: () => {
      renewals += 1
      return { idToken: 'second', refreshToken: 'r2', logoutHint: 'ada', expiresAtMs: 2 * hour, name: 'Ada' }
    },
  })
  const session = await signedIn(browser)
  browser.pass(hour - 30_000)
  expect(await Promise.all([session.credential(), session.credential(), session.renew()])).toEqual([
    'second',
    'second',
    true,
  ])
  expect(renewals).toBe(1)
})

it('a renewal that the issuer rejects ends the session; a network failure does not', async () => {
  let error: Error = new TypeError('Failed to fetch')
  const browser = tab({
    refreshToken: 'r',
    refresh: () => {
      throw error
    },
  })
  const session = await signedIn(browser)
  expect(await session.renew()).toBe(false)
  expect(session.state().kind).toBe('signed-in')
  error = refusal('invalid_grant')
  expect(await session.renew()).toBe(false)
  expect(session.state()).toEqual({ kind: 'signed-out', failure: 'ended' })
})

it('without a refresh token the end is announced, and then comes', async () => {
  const browser = tab()
  const session = await signedIn(browser)
  browser.pass(hour - 100_000)
  session.tick()
  expect(session.state()).toMatchObject({ kind: 'signed-in', endsAtMs: hour })
  browser.pass(100_000)
  session.tick()
  expect(session.state()).toEqual({ kind: 'signed-out', failure: 'ended' })
})

it('signing out clears the session here and at the issuer', async () => {
  const browser = tab()
  const session = await signedIn(browser)
  await session.signOut()
  expect(browser.left.at(-1)).toBe('https://id.example/end')
  expect(await session.credential()).toBeNull()
  expect((await browser.load()).state()).toEqual({ kind: 'signed-out', failure: null })
})
