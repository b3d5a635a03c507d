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
const earlyMs = 300_000

/** When a JWT expires, in milliseconds since 1970; `null` if it doesn't say. */
function endOf(token: string): number | null {
  try {
    const payload = token.split('.')[1] ?? ''
    const { exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: unknown }
    return typeof exp === 'number' ? exp * 1000 : null
  } catch {
    return null
  }
}

/**
 * Authenticates with an ID token. A function is called for the first token, five minutes before one expires,
 * and once after one is rejected; concurrent requests share one call.
 */
export function idToken(token: string | (() => string | Promise<string>)): Auth {
  const ask = typeof token === 'string' ? () => token : token
  let asked: Promise<string> | null = null
  let endsAt: number | null = null

  const current = (): Promise<string> => {
    if (asked !== null && (endsAt === null || Date.now() < endsAt - earlyMs)) return asked
    endsAt = null
    const asking = Promise.resolve()
      .then(ask)
      .then((found) => {
        endsAt = endOf(found)
        return found
      })
    asked = asking
    asking.catch(() => {
      if (asked === asking) asked = null
    })
    return asking
  }
  return {
    headers: async () => ({ Authorization: `Bearer ${await current()}` }),
    renew() {
      asked = null
      return typeof token !== 'string'
    },
  }
}
