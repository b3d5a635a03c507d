import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as oauth from 'oauth4webapi'
import type { SignedIn } from '../credentials.js'
import { CliError, exitCodes } from '../exit-codes.js'
import { printable } from '../terminal.js'
import { isSameAddress } from '../web-address.js'
import { discover, type IssuerContext, type SignInSettings, signedIn } from './issuer.js'

const signInMs = 5 * 60_000

/**
 * The page of the server that passes sign-ins on to this machine. Issuers redirect only to what is registered with them, so
 * a server with the settings of another one gets nobody's tokens.
 */
function redirectUriOf(server: string): string {
  return `${server.replace(/\/+$/, '')}/cli/callback`
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

/** A port of this machine that waits for the browser. */
interface Waiting {
  /** Names the port and is otherwise a secret. */
  readonly state: string
  /** What the browser brought back. */
  readonly returned: Promise<URL>
  close(): void
}

/** The request that the page of a server makes the browser send; `null` for any other request. */
function returnedUrl({ url: path = '/' }: IncomingMessage, state: string): URL | null {
  const base = 'http://127.0.0.1'
  if (!URL.canParse(path, base)) return null
  const url = new URL(path, base)
  return url.pathname === '/callback' && url.searchParams.get('state') === state ? url : null
}

/** @throws CliError unless the browser comes back through this server: it may have been led to sign in for another one. */
function assertFrom(server: string, url: URL): void {
  const from = url.searchParams.get('server') ?? ''
  if (!isSameAddress(from, server))
    throw new CliError(
      `The sign-in came back through ${printable(from) || 'no server'} instead of ${server}, so it was not used.`,
      exitCodes.notSignedIn,
    )
}

async function waitForBrowser(server: string, deadline: AbortSignal): Promise<Waiting> {
  const secret = oauth.generateRandomState()
  let state = ''
  const { promise: returned, resolve, reject } = promiseOf<URL>()
  const listener = createServer((request, response) => {
    // Any web page can make a browser call this port; only the page of the server knows the state.
    const url = returnedUrl(request, state)
    if (url === null) return sendNotice(response, 404, 'Not found.')
    try {
      assertFrom(server, url)
    } catch (error) {
      reject(error)
      return sendNotice(response, 400, 'This sign-in was for another server. See your terminal.')
    }
    const isSignedIn = url.searchParams.has('code')
    const notice = isSignedIn
      ? 'You are signed in. You can close this tab.'
      : 'Sign-in failed. See your terminal.'
    sendNotice(response, 200, notice)
    resolve(url)
  })
  const late = `No one signed in. If the issuer did not allow the redirect, ask your operator to add ${redirectUriOf(server)} (docs/sign-in.md).`
  deadline.addEventListener('abort', () => reject(new CliError(late, exitCodes.notSignedIn)), { once: true })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  state = `${(listener.address() as AddressInfo).port}.${secret}`
  return {
    state,
    returned,
    close() {
      listener.close()
      listener.closeAllConnections()
    },
  }
}

function promiseOf<Value>() {
  let resolve: (value: Value) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes
    reject = no
  })
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}

/** The address where an issuer answers an authorization request (RFC 6749) with PKCE. */
async function authorizationAddress(
  endpoint: string,
  parameters: Readonly<Record<string, string>>,
  verifier: string,
): Promise<URL> {
  const address = new URL(endpoint)
  const all = {
    response_type: 'code',
    ...parameters,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(all)) address.searchParams.set(name, value)
  return address
}

/** How to sign in through a browser. */
export interface BrowserSignIn {
  /** The server that gets the right to act as the person. */
  readonly server: string
  readonly show: (address: URL) => Promise<void>
  /**
   * Whether to ask again even if the browser is signed in. Some issuers know only `prompt` or only `max_age`, which also
   * makes the token say when this was.
   */
  readonly isFresh: boolean
}

/** Signs in through a browser, which comes back through a page of the server to a port of this machine. */
export async function signInByBrowser(
  settings: SignInSettings,
  { server, show, isFresh }: BrowserSignIn,
  context: IssuerContext,
): Promise<SignedIn> {
  const deadline = AbortSignal.any([context.signal, AbortSignal.timeout(signInMs)])
  const { server: issuer, client, call } = await discover(settings, { ...context, signal: deadline })
  if (issuer.authorization_endpoint === undefined) throw new CliError('The issuer has no sign-in page.')
  const [nonce, verifier] = [oauth.generateRandomNonce(), oauth.generateRandomCodeVerifier()]
  const redirectUri = redirectUriOf(server)
  const { state, returned, close } = await waitForBrowser(server, deadline)
  try {
    const parameters = {
      client_id: settings.client_id,
      redirect_uri: redirectUri,
      scope: settings.scopes,
      state,
      nonce,
      ...(isFresh ? { prompt: 'login', max_age: '0' } : {}),
    }
    await show(await authorizationAddress(issuer.authorization_endpoint, parameters, verifier))
    const authResponse = oauth.validateAuthResponse(issuer, client, await returned, state)
    const response = await oauth.authorizationCodeGrantRequest(
      issuer,
      client,
      oauth.None(),
      authResponse,
      redirectUri,
      verifier,
      call,
    )
    const given = await oauth.processAuthorizationCodeResponse(issuer, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    })
    return signedIn(settings, given, null)
  } finally {
    close()
  }
}

/**
 * Checks, without a browser, that the issuer allows the redirect through the server.
 * @throws CliError if it refuses.
 */
export async function redirectCheck(
  settings: SignInSettings,
  server: string,
  context: IssuerContext,
): Promise<string> {
  const { server: issuer } = await discover(settings, context)
  const { authorization_endpoint: endpoint } = issuer
  if (endpoint === undefined) throw new CliError(`${settings.issuer} has no sign-in page.`)
  const redirectUri = redirectUriOf(server)
  const parameters = {
    client_id: settings.client_id,
    redirect_uri: redirectUri,
    scope: 'openid',
    prompt: 'none',
  }
  const address = await authorizationAddress(endpoint, parameters, oauth.generateRandomCodeVerifier())
  const response = await fetch(address, { redirect: 'manual', signal: context.signal })
  await response.body?.cancel()
  if (response.status >= 400 && response.status < 500) {
    throw new CliError(
      `${settings.issuer} responds ${response.status} to a redirect through this server. Ask your operator to allow ${redirectUri} for the client ${settings.client_id}.`,
    )
  }
  return response.headers.get('Location')?.startsWith(`${redirectUri}?`) === true
    ? 'allows the redirect through this server'
    : 'only tells a browser whether it allows the redirect through this server'
}
