import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as oauth from 'oauth4webapi'
import type { SignedIn } from './credentials.js'
import { CliError, exitCodes } from './exit-codes.js'
import { printable } from './terminal.js'

/** The server's sign-in settings, from /config.json. */
export interface SignInSettings {
  readonly issuer: string
  readonly client_id: string
  readonly scopes: string
}

const clockToleranceSeconds = 120
const signInMs = 5 * 60_000
const pollTimeoutMs = 30_000
/** How long failures make polls wait, unless the issuer wants more. */
const pollWaitMsMax = 60_000

/** Plain HTTP is allowed only for an issuer that uses it itself, like the development issuer. */
function optionsFor({ issuer }: SignInSettings, signal: AbortSignal) {
  return { [oauth.allowInsecureRequests]: new URL(issuer).protocol === 'http:', signal }
}

function clientOf(settings: SignInSettings): oauth.Client {
  return { client_id: settings.client_id, [oauth.clockTolerance]: clockToleranceSeconds }
}

async function discover(settings: SignInSettings, signal: AbortSignal): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(settings.issuer)
  const response = await oauth.discoveryRequest(issuer, {
    ...optionsFor(settings, signal),
    algorithm: 'oidc',
  })
  const server = await oauth.processDiscoveryResponse(issuer, response)
  checkEndpoints(server, issuer)
  return server
}

/** The endpoints that this program calls or opens. */
const endpoints = ['authorization_endpoint', 'token_endpoint', 'device_authorization_endpoint'] as const

/** @throws CliError unless each endpoint is an https: address, or http: like the issuer itself. */
function checkEndpoints(server: oauth.AuthorizationServer, { protocol }: URL): void {
  for (const name of endpoints) {
    const address = server[name]
    if (address === undefined) continue
    const found = URL.canParse(address) ? new URL(address).protocol : ''
    if (found !== 'https:' && !(found === 'http:' && protocol === 'http:'))
      throw new CliError(`The issuer's ${name} is not an https: address: ${printable(address)}`)
  }
}

function signedIn(
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

function sendNotice(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    Connection: 'close',
  })
  response.end(`${text}\n`)
}

/** The redirect URI. */
function callback() {
  let resolve: (url: URL) => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const promise = new Promise<URL>((yes, no) => {
    resolve = yes
    reject = no
  })
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}

/**
 * Signs in through a browser that is redirected to a local port (RFC 8252), with PKCE.
 * @param isFresh whether to ask again even if the browser is signed in. Some issuers know only `prompt` or only `max_age`,
 *   which also makes the token say when this was.
 */
export async function signInByBrowser(
  settings: SignInSettings,
  show: (address: URL) => Promise<void>,
  signal: AbortSignal,
  isFresh = false,
): Promise<SignedIn> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(signInMs)])
  const server = await discover(settings, deadline)
  if (server.authorization_endpoint === undefined) throw new CliError('The issuer has no sign-in page.')
  const [state, nonce, verifier] = [
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
    oauth.generateRandomCodeVerifier(),
  ]
  const returned = callback()
  const listener = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    // Any web page can make a browser call this port; only our redirect knows the state.
    if (url.pathname !== '/callback' || url.searchParams.get('state') !== state)
      return sendNotice(response, 404, 'Not found.')
    sendNotice(
      response,
      200,
      url.searchParams.has('code')
        ? 'You are signed in. You can close this tab.'
        : 'Sign-in failed. See your terminal.',
    )
    returned.resolve(url)
  })
  deadline.addEventListener(
    'abort',
    () => returned.reject(new CliError('No one signed in.', exitCodes.notSignedIn)),
    { once: true },
  )
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  try {
    const redirectUri = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`
    const address = new URL(server.authorization_endpoint)
    const parameters = {
      client_id: settings.client_id,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: settings.scopes,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(isFresh ? { prompt: 'login', max_age: '0' } : {}),
    }
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
    await show(address)
    const client = clientOf(settings)
    const authResponse = oauth.validateAuthResponse(server, client, await returned.promise, state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      authResponse,
      redirectUri,
      verifier,
      optionsFor(settings, deadline),
    )
    const given = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    })
    return signedIn(settings, given, null)
  } finally {
    listener.close()
    listener.closeAllConnections()
  }
}

/** The response to a poll; `null` if the connection failed, it took too long, or the issuer has a failure of its own. */
async function pollForTokens(
  settings: SignInSettings,
  server: oauth.AuthorizationServer,
  deviceCode: string,
  signal: AbortSignal,
): Promise<Response | null> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(pollTimeoutMs)])
  const options = optionsFor(settings, deadline)
  try {
    const client = clientOf(settings)
    const response = await oauth.deviceCodeGrantRequest(server, client, oauth.None(), deviceCode, options)
    // Reads all of it, so that a connection that breaks later counts as well.
    await response.clone().arrayBuffer()
    return response.status < 500 ? response : null
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
    if (signal.aborted || !(isTimeout || error instanceof TypeError)) throw error
    return null
  }
}

/**
 * Signs in with a code entered in a browser on any device (RFC 8628). Polls that fail don't end it, but double the wait
 * until the next one.
 */
export async function signInByCode(
  settings: SignInSettings,
  show: (address: URL, code: string) => Promise<void>,
  signal: AbortSignal,
): Promise<SignedIn> {
  const server = await discover(settings, signal)
  if (server.device_authorization_endpoint === undefined) {
    throw new CliError('The issuer does not offer sign-in by code. Run snipkeep login without --device.')
  }
  const client = clientOf(settings)
  const response = await oauth.deviceAuthorizationRequest(
    server,
    client,
    oauth.None(),
    { scope: settings.scopes },
    optionsFor(settings, signal),
  )
  const device = await oauth.processDeviceAuthorizationResponse(server, client, response)
  await show(new URL(device.verification_uri), device.user_code)
  const { setTimeout: delay } = await import('node:timers/promises')
  const endsAt = Date.now() + device.expires_in * 1_000
  let intervalMs = (device.interval ?? 5) * 1_000
  let waitMs = intervalMs
  while (Date.now() < endsAt) {
    const leftMs = endsAt - Date.now()
    await delay(Math.min(waitMs, Math.max(intervalMs, leftMs)), undefined, { signal })
    const response = await pollForTokens(settings, server, device.device_code, signal)
    if (response === null) {
      waitMs = Math.min(waitMs * 2, Math.max(intervalMs, pollWaitMsMax))
      continue
    }
    try {
      return signedIn(settings, await oauth.processDeviceCodeResponse(server, client, response), null)
    } catch (error) {
      const reason = error instanceof oauth.ResponseBodyError ? error.error : ''
      if (reason === 'expired_token') break
      if (reason === 'slow_down') intervalMs += 5_000
      else if (reason !== 'authorization_pending') throw error
    }
    waitMs = intervalMs
  }
  throw new CliError('The code has expired. Start again: snipkeep login --device', exitCodes.notSignedIn)
}

/** Refreshes these tokens. */
export async function renew(before: SignedIn, signal: AbortSignal): Promise<SignedIn> {
  if (before.refresh_token === null)
    throw new CliError('Your sign-in has expired. Run: snipkeep login', exitCodes.notSignedIn)
  const server = await discover(before, signal)
  const response = await oauth.refreshTokenGrantRequest(
    server,
    clientOf(before),
    oauth.None(),
    before.refresh_token,
    optionsFor(before, signal),
  )
  return signedIn(before, await oauth.processRefreshTokenResponse(server, clientOf(before), response), before)
}

/**
 * Checks, without a browser, that the issuer accepts a redirect to this machine.
 * @throws CliError if it refuses.
 */
export async function loopbackRedirect(settings: SignInSettings, signal: AbortSignal): Promise<string> {
  const { authorization_endpoint: endpoint } = await discover(settings, signal)
  if (endpoint === undefined) throw new CliError(`${settings.issuer} has no sign-in page.`)
  const address = new URL(endpoint)
  const redirectUri = 'http://127.0.0.1:49152/callback'
  const parameters = {
    client_id: settings.client_id,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid',
    prompt: 'none',
    code_challenge: await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier()),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  const response = await fetch(address, { redirect: 'manual', signal })
  await response.body?.cancel()
  if (response.status >= 400 && response.status < 500) {
    throw new CliError(
      `${settings.issuer} responds ${response.status} to a redirect to this machine. Ask your operator to allow http://127.0.0.1/callback with any port for the client ${settings.client_id}.`,
    )
  }
  return response.headers.get('Location')?.startsWith(`${redirectUri}?`) === true
    ? 'allows loopback redirects'
    : 'only tells a browser whether it allows loopback redirects'
}
