import { type IssuerClient, issuerClient } from './issuer-client.js'
import { createSession, type Session } from './session.js'
import { fetchSignInSettings } from './sign-in-settings.js'

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
    leaveFor: (address) => location.assign(address),
    showPath: (path) => history.replaceState(null, '', path),
    now: () => Date.now(),
    isSecure: isSecureContext,
  })
}
