import { readServerConfig } from '#sdk/server-config.js'
import { createTransport } from '#sdk/transport.js'
import { type IssuerClient, issuerClient, type SignInSettings } from './issuer-client.js'
import { createSession, type Session } from './session.js'

/** Fetches the sign-in settings; `null` when sign-in is not configured. */
async function fetchSignInSettings(): Promise<SignInSettings | null> {
  const server = location.origin
  const send = createTransport({ server, auth: null, retries: 0, fetch: globalThis.fetch, userAgent: null })
  return (await readServerConfig(send)).sign_in
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
