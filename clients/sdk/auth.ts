/** What a request that needs credentials is sent to, and how. */
export interface AuthCall {
  readonly server: string
  readonly fetch: typeof fetch
}

/** Credentials for requests. */
export interface Auth {
  /** The headers that prove who calls. */
  headers(call?: AuthCall): Promise<Readonly<Record<string, string>>>
  /** Forgets what was refused, so that the next request brings something new; `false` where there is nothing new. */
  renew?(): boolean
}

/** Calls with an API key (`snk_…`). */
export function apiKey(key: string): Auth {
  return { headers: async () => ({ 'X-API-Key': key }) }
}

/** A token is requested again so long before it ends. */
const earlyMs = 300_000

/** When a JWT ends, in milliseconds since 1970; `null` where it doesn't say. */
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
 * Calls with an ID token. A function is called when the first token is needed, five minutes before one ends, and once
 * after one was refused; requests that run at the same time share one call.
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
