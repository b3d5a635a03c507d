/** What must be remembered while the browser is at the issuer. */
export interface PendingSignIn {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The path of the dashboard that was asked for. */
  readonly returnTo: string
  /** Whether the issuer was told to ask nothing. */
  readonly silent: boolean
}

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

/** The path to come back to: one of the dashboard, whatever was asked for. */
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

/** The sign-in that is under way, which is forgotten by this: it is good for one answer. */
export function takePending(storage: SessionStorage): PendingSignIn | null {
  const pending = parsed(storage.getItem(pendingKey) ?? '')
  storage.removeItem(pendingKey)
  return isPending(pending) ? { ...pending, returnTo: safeReturnPath(pending.returnTo) } : null
}

/** Remembers, for this tab, that somebody is signed in; not who. */
export function markSignedIn(storage: SessionStorage): void {
  storage.setItem(markKey, 'yes')
}

/** Whether somebody was signed in before the page was loaded anew. Forgotten by this, so that it is tried only once. */
export function takeSignedInMark(storage: SessionStorage): boolean {
  const marked = storage.getItem(markKey) !== null
  storage.removeItem(markKey)
  return marked
}
