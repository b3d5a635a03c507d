import * as oauth from 'oauth4webapi'
import type { SignedIn } from '../credentials.js'
import { CliError, exitCodes } from '../exit-codes.js'
import { printable, type Terminal } from '../terminal.js'
import { isAllowedAddress } from '../web-address.js'

/** The server's sign-in settings for this command line. */
export interface SignInSettings {
  readonly issuer: string
  readonly client_id: string
  readonly scopes: string
}

/** What calls of an issuer need of what the program runs in. */
export type IssuerContext = Pick<Terminal, 'env' | 'signal'>

const clockToleranceSeconds = 120

/** An issuer whose addresses were checked, and what calls of it need. */
export interface Issuer {
  readonly server: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly call: { readonly [oauth.allowInsecureRequests]: boolean; readonly signal: AbortSignal }
}

/**
 * Parses an address that a server or its issuer names.
 * @throws CliError unless it is https:, or http: of this machine.
 */
export function checkedAddress(name: string, address: string, env: Terminal['env']): URL {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url !== null && isAllowedAddress(url, env)) return url
  throw new CliError(`The issuer's ${name} is not an https: address: ${printable(address)}`)
}

/** The endpoints that this program calls or opens. */
const endpoints = ['authorization_endpoint', 'token_endpoint', 'device_authorization_endpoint'] as const

/**
 * Fetches what the issuer says of itself.
 * @throws CliError unless the issuer and each endpoint have an address that is allowed.
 */
export async function discover(settings: SignInSettings, { env, signal }: IssuerContext): Promise<Issuer> {
  const issuer = checkedAddress('address', settings.issuer, env)
  const call = { [oauth.allowInsecureRequests]: true, signal }
  const response = await oauth.discoveryRequest(issuer, { ...call, algorithm: 'oidc' })
  const server = await oauth.processDiscoveryResponse(issuer, response)
  for (const name of endpoints) {
    const address = server[name]
    if (address !== undefined) checkedAddress(name, address, env)
  }
  const client = { client_id: settings.client_id, [oauth.clockTolerance]: clockToleranceSeconds }
  return { server, client, call }
}

/** The tokens of a response, with those of before that it does not replace. */
export function signedIn(
  settings: SignInSettings,
  given: oauth.TokenEndpointResponse,
  before: SignedIn | null,
): SignedIn {
  const claims = oauth.getValidatedIdTokenClaims(given)
  if (given.id_token === undefined || claims === undefined) {
    throw new CliError(
      'The issuer returned no ID token. Sign in again: snipkeep login',
      exitCodes.notSignedIn,
    )
  }
  const { issuer, client_id, scopes } = settings
  return {
    issuer,
    client_id,
    scopes,
    id_token: given.id_token,
    refresh_token: given.refresh_token ?? before?.refresh_token ?? null,
    expires_at: Date.now() + (claims.exp - claims.iat) * 1_000,
  }
}

/** Refreshes these tokens. */
export async function renew(before: SignedIn, context: IssuerContext): Promise<SignedIn> {
  if (before.refresh_token === null)
    throw new CliError('Your sign-in has expired. Run: snipkeep login', exitCodes.notSignedIn)
  const { server, client, call } = await discover(before, context)
  const { refresh_token: token } = before
  const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, call)
  return signedIn(before, await oauth.processRefreshTokenResponse(server, client, response), before)
}
