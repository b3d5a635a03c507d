import { readServerConfig } from '#sdk/server-config.js'
import { createTransport } from '#sdk/transport.js'
import { type IssuerClient, issuerClient, type SignInSettings } from './issuer-client.js'
import { createSession, type Session } from './session.js'

/** The settings in what the server says of itself; `null` when sign-in is not configured. */
export function parseSignInSettings(config: unknown): SignInSettings | null {
  const signIn: unknown = Reflect.get(Object(config), 'sign_in')
  const [issuer, clientId, scopes]: readonly unknown[] = ['issuer', 'client_id', 'scopes'].map((key) =>
    Reflect.get(Object(signIn), key),
  )
  if (typeof issuer !== 'string' || typeof clientId !== 'string' || typeof scopes !== 'string') return null
  return {
    issuer,
    clientId,
    scopes,
    logoutNeedsToken: Reflect.get(Object(signIn), 'logout_needs_token') === true,
  }
}

/** Fetches the sign-in settings; `null` when sign-in is not configured. */
async function fetchSignInSettings(): Promise<SignInSettings | null> {
  const server = location.origin
  const send = createTransport({ server, auth: null, retries: 0, fetch: globalThis.fetch, userAgent: null })
  return parseSignInSettings(await readServerConfig(send))
}

/** The session of this browser tab. */
export function browserSession(): Session {
  let issuer: IssuerClient | null = null
  return createSession({
    async issuer() {
      if (issuer !== null) return issuer
      const settings = await fetchSignInSettings()
      issuer = settings === null ? null : issuerClient(settings, location.origin)
      return issuer
    },
    storage: sessionStorage,
    address: () => new URL(location.href),
    redirectTo: (address) => location.assign(address),
    showPath: (path) => history.replaceState(null, '', path),
    now: () => Date.now(),
    isSecure: isSecureContext,
  })
}
