import { browserFetch } from '#sdk/browser.js'
import type { Session } from '../session/session.js'

/** The parts of a session that requests need. */
export type Credentials = Pick<Session, 'credential' | 'renew'>

/** How the pages of this server call its API: as the user of the session, and every try in sight of the user. */
export function clientOptions(session: Credentials) {
  return {
    server: location.origin,
    auth: {
      async headers(): Promise<Readonly<Record<string, string>>> {
        const token = await session.credential()
        return token === null ? {} : { Authorization: `Bearer ${token}` }
      },
      renew: () => session.renew(),
    },
    retries: 0,
    fetch: ((address, init) =>
      browserFetch(address, { ...init, cache: 'no-store', credentials: 'omit' })) satisfies typeof fetch,
  }
}
