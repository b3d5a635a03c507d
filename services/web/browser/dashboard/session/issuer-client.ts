import * as oauth from 'oauth4webapi'

/** How to sign in, as the server says at run time. */
export interface SignInSettings {
  readonly issuer: string
  readonly clientId: string
  readonly scopes: string
  /** Whether signing out at the issuer takes the ID token in the URL. */
  readonly logoutNeedsToken: boolean
}

/** What the issuer gave for a signed-in person. It lives in memory alone. */
export interface Tokens {
  /** The credential for our API. */
  readonly idToken: string
  readonly refreshToken: string | null
  /** What tells the issuer whose session ends when they sign out; it is no credential. */
  readonly logoutHint: string
  /** By the clock of this browser, whatever the issuer's says. */
  readonly expiresAtMs: number
  /** What the issuer calls the person. */
  readonly name: string
}

/** What must be remembered while the browser is at the issuer. */
export interface PendingSignIn {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The path of the dashboard that was requested. */
  readonly returnTo: string
  /** Whether the issuer was told to ask nothing. */
  readonly silent: boolean
}

/** The issuer, as a public client with PKCE knows it. Every call rejects with the errors of oauth4webapi. */
export interface IssuerClient {
  /** What a new sign-in is known by, and where to send the browser for it. */
  begin(
    options: Pick<PendingSignIn, 'returnTo' | 'silent'>,
  ): Promise<{ pending: PendingSignIn; address: URL }>
  /** Exchanges the callback URL for tokens. */
  redeem(callbackUrl: URL, pending: PendingSignIn): Promise<Tokens>
  /** Fresh tokens for these, which must have a refresh token. */
  refresh(tokens: Tokens): Promise<Tokens>
  /** Where to send the browser to sign out at the issuer too; `null` when it has no such place. */
  endAddress(tokens: Tokens): Promise<URL | null>
}

/** How far the clocks of issuer and browser may be apart. */
const clockToleranceSeconds = 120

function named(...names: readonly unknown[]): string {
  return names.find((name) => typeof name === 'string' && name !== '')?.toString() ?? ''
}

function tokensOf(response: oauth.TokenEndpointResponse, before: Tokens | null, nowMs: number): Tokens {
  const claims = oauth.getValidatedIdTokenClaims(response)
  if (response.id_token === undefined || claims === undefined)
    throw new oauth.OperationProcessingError('the issuer gave no ID token')
  return {
    idToken: response.id_token,
    refreshToken: response.refresh_token ?? before?.refreshToken ?? null,
    logoutHint: named(claims.login_hint, claims.sid, claims.sub),
    expiresAtMs: nowMs + (claims.exp - claims.iat) * 1_000,
    name: named(claims.name, claims.email, claims.sub),
  }
}

/** A client of the issuer that comes back to `origin`; it looks the issuer up when it is first needed. */
export function issuerClient(settings: SignInSettings, origin: string): IssuerClient {
  const issuer = new URL(settings.issuer)
  const client: oauth.Client = {
    client_id: settings.clientId,
    [oauth.clockTolerance]: clockToleranceSeconds,
  }
  // Only an issuer that is itself without TLS, as the development issuer is, may be asked without it.
  const options = { [oauth.allowInsecureRequests]: issuer.protocol === 'http:' }
  const redirectUri = `${origin}/auth/callback`

  let found: Promise<oauth.AuthorizationServer> | null = null
  const discover = (): Promise<oauth.AuthorizationServer> => {
    found ??= oauth
      .discoveryRequest(issuer, { ...options, algorithm: 'oidc' })
      .then((response) => oauth.processDiscoveryResponse(issuer, response))
      .catch((error: unknown) => {
        found = null
        throw error
      })
    return found
  }

  return {
    async begin({ returnTo, silent }) {
      const { authorization_endpoint: endpoint } = await discover()
      if (endpoint === undefined)
        throw new oauth.OperationProcessingError('the issuer has no place to sign in')
      const pending: PendingSignIn = {
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        verifier: oauth.generateRandomCodeVerifier(),
        returnTo,
        silent,
      }
      const address = new URL(endpoint)
      const parameters = {
        client_id: settings.clientId,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
        ...(silent ? { prompt: 'none' } : {}),
      }
      for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
      return { pending, address }
    },

    async redeem(callbackUrl, { state, nonce, verifier }) {
      const server = await discover()
      const parameters = oauth.validateAuthResponse(server, client, callbackUrl, state)
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        parameters,
        redirectUri,
        verifier,
        options,
      )
      const expected = { expectedNonce: nonce, requireIdToken: true }
      const given = await oauth.processAuthorizationCodeResponse(server, client, response, expected)
      return tokensOf(given, null, Date.now())
    },

    async refresh(tokens) {
      const server = await discover()
      const refreshToken = tokens.refreshToken ?? ''
      const response = await oauth.refreshTokenGrantRequest(
        server,
        client,
        oauth.None(),
        refreshToken,
        options,
      )
      return tokensOf(await oauth.processRefreshTokenResponse(server, client, response), tokens, Date.now())
    },

    async endAddress({ idToken, logoutHint }) {
      const { end_session_endpoint: endpoint } = await discover()
      if (endpoint === undefined) return null
      const address = new URL(endpoint)
      // URLs end up in logs and histories, and the ID token is the credential of the API for as long as it lives.
      if (settings.logoutNeedsToken) address.searchParams.set('id_token_hint', idToken)
      else address.searchParams.set('logout_hint', logoutHint)
      address.searchParams.set('client_id', settings.clientId)
      address.searchParams.set('post_logout_redirect_uri', `${origin}/`)
      return address
    },
  }
}

/** Why no one is signed in after it was tried. */
export type SignInFailure =
  /** This server knows no issuer. */
  | 'not-configured'
  /** Without HTTPS the browser has no cryptography. */
  | 'insecure'
  /** The issuer, or our own settings, could not be reached. */
  | 'unreachable'
  /** The issuer said no. */
  | 'refused'
  /** The callback belongs to no sign-in that this tab started. */
  | 'interrupted'
  /** The issuer sent something that does not hold. */
  | 'invalid'
  /** The session has ended and could not be renewed. */
  | 'ended'

const silentRefusals: readonly string[] = [
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
]

/** Whether the issuer only said that it would have to ask, which it had been told not to. */
export function wantsInteraction(error: unknown): boolean {
  return error instanceof oauth.AuthorizationResponseError && silentRefusals.includes(error.error)
}

/** What an error of signing in means. */
export function failureOf(error: unknown): SignInFailure {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
    return 'refused'
  return error instanceof oauth.OperationProcessingError ? 'invalid' : 'unreachable'
}
