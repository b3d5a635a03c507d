import {
  failureOf,
  type IssuerClient,
  type PendingSignIn,
  type SignInFailure,
  type Tokens,
  wantsInteraction,
} from './issuer-client.js'

/** As much of the browser's storage as is needed here. */
export type SessionStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const pendingKey = 'snipkeep.pending-sign-in'
const markKey = 'snipkeep.signed-in'

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

function isPending(value: unknown): value is PendingSignIn {
  if (typeof value !== 'object' || value === null) return false
  const texts = ['state', 'nonce', 'verifier', 'returnTo'] as const
  return (
    texts.every((key) => typeof Reflect.get(value, key) === 'string') &&
    typeof Reflect.get(value, 'silent') === 'boolean'
  )
}

/** The path to come back to: one of the dashboard, whatever was requested. */
export function safeReturnPath(path: string): string {
  return /^\/dashboard(?:[/?#]|$)/.test(path) ? path : '/dashboard'
}

/** Whether a path is where the page of a share leads its owner: whoever comes from there may be signed in elsewhere. */
export function comesFromShare(path: string): boolean {
  return /^\/dashboard\/shares\/[^/]+$/.test(path)
}

/** Remembers a sign-in until the issuer has sent the browser back. */
export function keepPending(storage: SessionStorage, pending: PendingSignIn): void {
  storage.setItem(pendingKey, JSON.stringify(pending))
}

/** Takes the pending sign-in, which is good for one callback. */
export function takePending(storage: SessionStorage): PendingSignIn | null {
  const pending = parsed(storage.getItem(pendingKey) ?? '')
  storage.removeItem(pendingKey)
  return isPending(pending) ? { ...pending, returnTo: safeReturnPath(pending.returnTo) } : null
}

/** Remembers, for this tab, that someone is signed in; not who. */
export function markSignedIn(storage: SessionStorage): void {
  storage.setItem(markKey, 'yes')
}

/** Whether someone was signed in before the page was loaded again. Forgotten by this, so that it is tried only once. */
export function takeSignedInMark(storage: SessionStorage): boolean {
  const marked = storage.getItem(markKey) !== null
  storage.removeItem(markKey)
  return marked
}

/** What is to be done about a session as its end comes near. */
export type DueStep = 'nothing' | 'renew' | 'warn' | 'end'

const renewBeforeMs = 90_000
const warnBeforeMs = 120_000

/** What is due now. A token that lives shorter than the usual notice is renewed in the last quarter of its life. */
export function dueStep(tokens: Tokens, lifeMs: number, nowMs: number): DueStep {
  const leftMs = tokens.expiresAtMs - nowMs
  if (tokens.refreshToken !== null) return leftMs <= Math.min(renewBeforeMs, lifeMs / 4) ? 'renew' : 'nothing'
  if (leftMs <= 0) return 'end'
  return leftMs <= warnBeforeMs ? 'warn' : 'nothing'
}

/** Whether someone is signed in. */
export type SessionState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'signed-out'; readonly failure: SignInFailure | null }
  /** `endsAtMs` is set when the end is near and only signing in again helps. */
  | { readonly kind: 'signed-in'; readonly name: string; readonly endsAtMs: number | null }

/** Who is signed in at this page. Tokens never leave it but as the credential of a request. */
export interface Session {
  state(): SessionState
  /** Calls `listener` after each change; returns a function that stops it. */
  subscribe(listener: () => void): () => void
  /**
   * Finds out who is signed in: finishes a sign-in that the issuer sent back, or asks the issuer silently after a reload
   * and for whoever comes from the page of a share.
   */
  start(): Promise<void>
  /** Sends the browser to the issuer, to come back to where it is now. */
  signIn(): Promise<void>
  /** Forgets everything, here and at the issuer. */
  signOut(): Promise<void>
  /** The credential of a request, renewed first where it is due; `null` when no one is signed in. */
  credential(): Promise<string | null>
  /** Renews a credential that was refused; whether there is a new one. */
  renew(): Promise<boolean>
  /** Does what is due as the end comes near. To be called every few seconds. */
  tick(): void
}

/** What a session touches of the browser. */
export interface SessionParts {
  /** `null` where no one can sign in. */
  issuer(): Promise<IssuerClient | null>
  readonly storage: SessionStorage
  address(): URL
  /** Leaves for another page. */
  leaveFor(address: string): void
  /** Changes the address that is shown, and nothing else. */
  showPath(path: string): void
  now(): number
  readonly isSecure: boolean
}

/** A session that has not started yet. */
export function createSession(parts: SessionParts): Session {
  const { storage } = parts
  const listeners = new Set<() => void>()
  let current: SessionState = { kind: 'starting' }
  let tokens: Tokens | null = null
  let lifeMs = 0
  let renewal: Promise<boolean> | null = null

  const become = (state: SessionState): void => {
    current = state
    for (const listener of listeners) listener()
  }

  const accept = (given: Tokens): void => {
    tokens = given
    lifeMs = given.expiresAtMs - parts.now()
    markSignedIn(storage)
    become({ kind: 'signed-in', name: given.name, endsAtMs: null })
  }

  const forget = (failure: SignInFailure | null): void => {
    tokens = null
    takeSignedInMark(storage)
    become({ kind: 'signed-out', failure })
  }

  const leave = async (returnTo: string, silent: boolean): Promise<void> => {
    try {
      const issuer = await parts.issuer()
      if (issuer === null) return forget('not-configured')
      const { pending, address } = await issuer.begin({ returnTo: safeReturnPath(returnTo), silent })
      keepPending(storage, pending)
      parts.leaveFor(address.href)
    } catch (error) {
      forget(failureOf(error))
    }
  }

  const finish = async (response: URL): Promise<void> => {
    const pending = takePending(storage)
    parts.showPath(pending?.returnTo ?? '/dashboard')
    if (pending === null) return forget('interrupted')
    try {
      const issuer = await parts.issuer()
      if (issuer === null) return forget('not-configured')
      accept(await issuer.redeem(response, pending))
    } catch (error) {
      forget(pending.silent && wantsInteraction(error) ? null : failureOf(error))
    }
  }

  const renewNow = async (): Promise<boolean> => {
    const before = tokens
    if (before?.refreshToken == null) return false
    try {
      const issuer = await parts.issuer()
      if (issuer === null || tokens !== before) return false
      const given = await issuer.refresh(before)
      if (tokens !== before) return false
      accept(given)
      return true
    } catch (error) {
      // A network that is away for a moment ends nothing while the token is still good.
      if (failureOf(error) !== 'unreachable' || before.expiresAtMs <= parts.now()) forget('ended')
      return false
    }
  }

  const renew = (): Promise<boolean> => {
    renewal ??= renewNow().finally(() => {
      renewal = null
    })
    return renewal
  }

  return {
    state: () => current,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    async start() {
      const address = parts.address()
      if (!parts.isSecure) return forget('insecure')
      if (address.pathname === '/auth/callback') return finish(address)
      if (takeSignedInMark(storage) || comesFromShare(address.pathname)) return leave(pathOf(address), true)
      const issuer = await parts.issuer().catch(() => undefined)
      forget(issuer === undefined ? 'unreachable' : issuer === null ? 'not-configured' : null)
    },

    signIn: () => leave(pathOf(parts.address()), false),

    async signOut() {
      const last = tokens
      forget(null)
      const issuer = await parts.issuer().catch(() => null)
      const end = last === null ? null : await issuer?.endAddress(last).catch(() => null)
      parts.leaveFor(end?.href ?? '/')
    },

    async credential() {
      if (tokens !== null && dueStep(tokens, lifeMs, parts.now()) === 'renew') await renew()
      return tokens?.idToken ?? null
    },

    renew,

    tick() {
      if (tokens === null || current.kind !== 'signed-in') return
      const step = dueStep(tokens, lifeMs, parts.now())
      switch (step) {
        case 'nothing':
          return
        case 'renew':
          void renew()
          return
        case 'warn':
          if (current.endsAtMs === null) become({ ...current, endsAtMs: tokens.expiresAtMs })
          return
        case 'end':
          forget('ended')
          return
        default:
          step satisfies never
      }
    },
  }
}

function pathOf({ pathname, search, hash }: URL): string {
  return `${pathname}${search}${hash}`
}
