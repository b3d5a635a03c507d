import { readMembers } from '#libs/core/read-json.js'
import {
  failureOf,
  type IssuerClient,
  type PendingSignIn,
  type SignInFailure,
  type Tokens,
  wantsInteraction,
} from './issuer-client.js'

/** The part of the browser's storage used here. */
export type SessionStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const pendingKey = 'snipkeep.pending-sign-in'
const markKey = 'snipkeep.signed-in'
const handedOverKey = 'snipkeep.handed-over-sign-in'

function pendingIn(json: string): PendingSignIn | null {
  const { state, nonce, verifier, returnTo, silent } = readMembers(json) ?? {}
  const areTexts = [state, nonce, verifier, returnTo].every((value) => typeof value === 'string')
  return areTexts && typeof silent === 'boolean'
    ? ({ state, nonce, verifier, returnTo, silent } as PendingSignIn)
    : null
}

/** The front page and tools: pages outside of the dashboard that lead to a sign-in and back. */
const otherPage = /^\/(?:tools\/[a-z0-9-]+)?(?:[?#]|$)/

/** The path to return to; anything but the dashboard and those pages is replaced. */
export function safeReturnPath(path: string): string {
  return /^\/dashboard(?:[/?#]|$)/.test(path) || otherPage.test(path) ? path : '/dashboard'
}

/** Whether a share page, or the report of a job, sends its owner to this path. Such a visitor may be signed in in another tab. */
function comesFromElsewhere(path: string): boolean {
  return /^\/dashboard\/(?:shares|checks)\/[^/]+$/.test(path)
}

/** Remembers a sign-in until the issuer redirects back. */
export function keepPending(storage: SessionStorage, pending: PendingSignIn): void {
  storage.setItem(pendingKey, JSON.stringify(pending))
}

/** Takes the pending sign-in, which is valid for one callback. */
export function takePending(storage: SessionStorage): PendingSignIn | null {
  const pending = pendingIn(storage.getItem(pendingKey) ?? '')
  storage.removeItem(pendingKey)
  return pending && { ...pending, returnTo: safeReturnPath(pending.returnTo) }
}

/** Remembers, for this tab, that someone is signed in; not who. */
export function markSignedIn(storage: SessionStorage): void {
  storage.setItem(markKey, 'yes')
}

/**
 * Whether someone was signed in before the page was reloaded. Clears the mark, so that a silent sign-in is
 * only tried once.
 */
export function takeSignedInMark(storage: SessionStorage): boolean {
  const marked = storage.getItem(markKey) !== null
  storage.removeItem(markKey)
  return marked
}

/** Whether someone may still be signed in at the issuer. */
export function wasSignedIn(storage: SessionStorage): boolean {
  return storage.getItem(markKey) !== null
}

/** What to do about a session near its end. */
export type DueStep = 'nothing' | 'renew' | 'warn' | 'end'

const renewBeforeMs = 90_000
const warnBeforeMs = 120_000

/** What to do now. A short-lived token is renewed in the last quarter of its lifetime. */
export function dueStep(tokens: Tokens, lifeMs: number, nowMs: number): DueStep {
  const leftMs = tokens.expiresAtMs - nowMs
  if (tokens.refreshToken !== null) return leftMs <= Math.min(renewBeforeMs, lifeMs / 4) ? 'renew' : 'nothing'
  if (leftMs <= 0) return 'end'
  return leftMs <= warnBeforeMs ? 'warn' : 'nothing'
}

export type SessionState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'signed-out'; readonly failure: SignInFailure | null }
  /** `endsAtMs` is set when the end is near and only signing in again helps. */
  | { readonly kind: 'signed-in'; readonly name: string; readonly endsAtMs: number | null }

/** The sign-in session of this page. Tokens leave it only as the credential of a request. */
export interface Session {
  state(): SessionState
  /** Calls `listener` after each change; returns a function that unsubscribes it. */
  subscribe(listener: () => void): () => void
  /**
   * Restores the session: completes a callback, or signs in silently after a reload and for visitors from a
   * share page.
   */
  start(): Promise<void>
  /** Completes a sign-in for a page that has not waited for it; otherwise nobody is signed in yet. */
  resume(): Promise<void>
  /**
   * Redirects to the issuer; the user returns to the current page. A silent sign-in asks for nothing, a fresh one asks
   * again even if the user is signed in.
   */
  signIn(how?: 'silent' | 'fresh'): Promise<void>
  /** Signs out here and at the issuer. */
  signOut(): Promise<void>
  /** The credential for a request, renewed first when due; `null` when signed out. */
  credential(): Promise<string | null>
  /** Renews a rejected credential; returns whether there is a new one. */
  renew(): Promise<boolean>
  /** Renews or warns when the end is near. Call it every few seconds. */
  tick(): void
}

/** What a session needs from the browser. */
export interface SessionParts {
  /** `null` when sign-in is not configured. */
  issuer(): Promise<IssuerClient | null>
  readonly storage: SessionStorage
  address(): URL
  /** Navigates away. */
  redirectTo(address: string): void
  /** Replaces the URL without navigating. */
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

  const leave = async (returnTo: string, how?: 'silent' | 'fresh'): Promise<void> => {
    if (!parts.isSecure) return forget('insecure')
    try {
      const issuer = await parts.issuer()
      if (issuer === null) return forget('not-configured')
      const { pending, address } = await issuer.begin({
        returnTo: safeReturnPath(returnTo),
        silent: how === 'silent',
        fresh: how === 'fresh',
      })
      keepPending(storage, pending)
      parts.redirectTo(address.href)
    } catch (error) {
      forget(failureOf(error))
    }
  }

  const finish = async (response: URL): Promise<void> => {
    const pending = takePending(storage)
    if (pending !== null && otherPage.test(pending.returnTo)) {
      // That page redeems the code itself, once: tokens never wait in storage.
      keepPending(storage, pending)
      storage.setItem(handedOverKey, response.href)
      return parts.redirectTo(pending.returnTo)
    }
    parts.showPath(pending?.returnTo ?? '/dashboard')
    return redeem(response, pending)
  }

  const redeem = async (response: URL, pending: PendingSignIn | null): Promise<void> => {
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
      // A short network failure does not end the session while the token is still valid.
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
      if (takeSignedInMark(storage) || comesFromElsewhere(address.pathname))
        return leave(pathOf(address), 'silent')
      const issuer = await parts.issuer().catch(() => undefined)
      forget(issuer === undefined ? 'unreachable' : issuer === null ? 'not-configured' : null)
    },

    async resume() {
      const response = storage.getItem(handedOverKey)
      storage.removeItem(handedOverKey)
      if (response === null) return become({ kind: 'signed-out', failure: null })
      return redeem(new URL(response), takePending(storage))
    },

    signIn: (how) => leave(pathOf(parts.address()), how),

    async signOut() {
      const last = tokens
      forget(null)
      const issuer = await parts.issuer().catch(() => null)
      const end = last === null ? null : await issuer?.endAddress(last).catch(() => null)
      parts.redirectTo(end?.href ?? '/')
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
