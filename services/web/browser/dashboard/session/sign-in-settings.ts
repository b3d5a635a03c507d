/** How to sign in, as the server says at run time. */
export interface SignInSettings {
  readonly issuer: string
  readonly clientId: string
  readonly scopes: string
  /** Whether signing out at the issuer takes the ID token in the URL. */
  readonly logoutNeedsToken: boolean
}

/** The settings in an answer of `/config.json`; `null` when nobody can sign in. */
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

/** Asks the server how to sign in; `null` when nobody can. */
export async function fetchSignInSettings(): Promise<SignInSettings | null> {
  const response = await fetch('/config.json')
  if (!response.ok) throw new Error(`/config.json answered ${response.status}`)
  return parseSignInSettings(await response.json())
}
