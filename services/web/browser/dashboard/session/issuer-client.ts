import * as oauth from 'oauth4webapi'
import type { ServerConfig } from '#sdk/server-config.js'

/** How to sign in. */
export type SignInSettings = NonNullable<ServerConfig['sign_in']>

/** The tokens of a signed-in user. Kept only in memory. */
export interface Tokens {
  /** The credential for our API. */
  readonly idToken: string
  readonly refreshToken: string | null
  /** Tells the issuer whose session to end at sign-out; it is not a credential. */
  readonly logoutHint: string
  /** By the browser's clock, which may differ from the issuer's. */
  readonly expiresAtMs: number
  /** The user's name at the issuer. */
  readonly name: string
}

/** What must survive the redirect to the issuer. */
export interface PendingSignIn {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The dashboard path that was requested. */
  readonly returnTo: string
  /** Whether the issuer was asked to sign in without interaction (`prompt=none`). */
  readonly silent: boolean
}

/** A client of the issuer: public, with PKCE. Every call rejects with the errors of oauth4webapi. */
export interface IssuerClient {
  /** Starts a sign-in: what to remember, and where to send the browser. */
  begin(
    options: Pick<PendingSignIn, 'returnTo' | 'silent'> & {
      /** Whether the issuer asks again even if the user is signed in there. */
      readonly fresh?: boolean
    },
  ): Promise<{ pending: PendingSignIn; address: URL }>
  /** Exchanges the callback URL for tokens. */
  redeem(callbackUrl: URL, pending: PendingSignIn): Promise<Tokens>
  /** Refreshes these tokens, which must include a refresh token. */
  refresh(tokens: Tokens): Promise<Tokens>
  /**
   * Where to send the browser to sign out at the issuer as well; `null` when the issuer has no such endpoint.
   */
  endAddress(tokens: Tokens): Promise<URL | null>
}

/** The tolerated difference between the issuer's clock and the browser's. */
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

/** A client of the issuer with its callback on `origin`. Discovery runs on first use. */
export function issuerClient(settings: SignInSettings, origin: string): IssuerClient {
  const issuer = new URL(settings.issuer)
  const client: oauth.Client = {
    client_id: settings.client_id,
    [oauth.clockTolerance]: clockToleranceSeconds,
  }
  // Plain HTTP is allowed only for an issuer that uses it itself, like the development issuer.
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
    async begin({ returnTo, silent, fresh = false }) {
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
        client_id: settings.client_id,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
        ...(silent ? { prompt: 'none' } : {}),
        // With `max_age` the token says when the user signed in.
        ...(fresh ? { prompt: 'login', max_age: '0' } : {}),
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
      // URLs end up in logs and histories, and the ID token is a valid API credential until it expires.
      if (settings.logout_needs_token) address.searchParams.set('id_token_hint', idToken)
      else address.searchParams.set('logout_hint', logoutHint)
      address.searchParams.set('client_id', settings.client_id)
      address.searchParams.set('post_logout_redirect_uri', `${origin}/`)
      return address
    },
  }
}

/** Why signing in failed. */
export type SignInFailure =
  /** No issuer is configured. */
  | 'not-configured'
  /** Without HTTPS the browser offers no cryptography. */
  | 'insecure'
  /** The issuer, or our own settings, could not be reached. */
  | 'unreachable'
  /** The issuer refused. */
  | 'refused'
  /** The callback does not belong to a sign-in that this tab started. */
  | 'interrupted'
  /** The issuer's response was invalid. */
  | 'invalid'
  /** The session has ended and could not be renewed. */
  | 'ended'

const silentRefusals: readonly string[] = [
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
]

/** Whether the issuer only said that it needs user interaction, which a silent sign-in does not allow. */
export function wantsInteraction(error: unknown): boolean {
  return error instanceof oauth.AuthorizationResponseError && silentRefusals.includes(error.error)
}

/** Maps an error of the sign-in to a reason. */
export function failureOf(error: unknown): SignInFailure {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
    return 'refused'
  return error instanceof oauth.OperationProcessingError ? 'invalid' : 'unreachable'
}
