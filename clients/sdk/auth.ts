/** The server, and how to call it. */
export interface AuthCall {
  readonly server: string
  readonly fetch: typeof fetch
}

/** Credentials for requests. */
export interface Auth {
  /** The headers that authenticate the caller. */
  headers(call?: AuthCall): Promise<Readonly<Record<string, string>>>
  /** Discards rejected credentials, so that the next request gets new ones; `false` if there are none to get. */
  renew?(): boolean | Promise<boolean>
}

/** Authenticates with an API key (`snk_…`). */
export function apiKey(key: string): Auth {
  return { headers: async () => ({ 'X-API-Key': key }) }
}

/** How long before its expiry a token is renewed. */
export const earlyMs = 300_000

/** When a JWT expires, in milliseconds since 1970; never if it doesn't say. */
function endOf(token: string): number {
  try {
    const payload = token.split('.')[1] ?? ''
    const { exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: unknown }
    return typeof exp === 'number' ? exp * 1000 : Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** A token, and when to renew it, in milliseconds since 1970. */
export interface Grant {
  readonly token: string
  readonly staleAt: number
}

/**
 * Keeps a token until it is stale or discarded, and then asks for another. Concurrent requests share one call; a failed
 * one is not kept.
 */
export function renewable<Call>(ask: (call: Call) => Grant | Promise<Grant>) {
  let granted: Promise<Grant> | null = null
  let staleAt = Number.POSITIVE_INFINITY
  return {
    token(call: Call): Promise<string> {
      if (granted === null || Date.now() >= staleAt) {
        staleAt = Number.POSITIVE_INFINITY
        const asking = Promise.resolve(call).then(ask)
        granted = asking
        asking.then(
          (grant) => {
            staleAt = grant.staleAt
          },
          () => {
            if (granted === asking) granted = null
          },
        )
      }
      return granted.then(({ token }) => token)
    },
    discard() {
      granted = null
    },
  }
}

/**
 * Authenticates with an ID token. A function is called for the first token, five minutes before one expires,
 * and once after one is rejected; concurrent requests share one call.
 */
export function idToken(token: string | (() => string | Promise<string>)): Auth {
  const kept = renewable(async () => {
    const found = typeof token === 'string' ? token : await token()
    return { token: found, staleAt: endOf(found) - earlyMs }
  })
  return {
    headers: async () => ({ Authorization: `Bearer ${await kept.token(undefined)}` }),
    renew() {
      kept.discard()
      return typeof token !== 'string'
    },
  }
}
