import * as oauth from 'oauth4webapi'
import type { SignedIn } from '../credentials.js'
import { CliError, exitCodes } from '../exit-codes.js'
import {
  checkedAddress,
  discover,
  type Issuer,
  type IssuerContext,
  type SignInSettings,
  signedIn,
} from './issuer.js'

const pollTimeoutMs = 30_000
/** How long failures make polls wait, unless the issuer wants more. */
const pollWaitMsMax = 60_000

/** The response to a poll; `null` if the connection failed, it took too long, or the issuer has a failure of its own. */
async function pollForTokens({ server, client, call }: Issuer, deviceCode: string): Promise<Response | null> {
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(pollTimeoutMs)])
  const options = { ...call, signal }
  try {
    const response = await oauth.deviceCodeGrantRequest(server, client, oauth.None(), deviceCode, options)
    // Reads all of it, so that a connection that breaks later counts as well.
    await response.clone().arrayBuffer()
    return response.status < 500 ? response : null
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
    if (call.signal.aborted || !(isTimeout || error instanceof TypeError)) throw error
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
  context: IssuerContext,
): Promise<SignedIn> {
  const { env, signal } = context
  const issuer = await discover(settings, context)
  const { server, client, call } = issuer
  if (server.device_authorization_endpoint === undefined)
    throw new CliError('The issuer does not offer sign-in by code. Run snipkeep login without --device.')
  const scopes = { scope: settings.scopes }
  const response = await oauth.deviceAuthorizationRequest(server, client, oauth.None(), scopes, call)
  const device = await oauth.processDeviceAuthorizationResponse(server, client, response)
  await show(checkedAddress('verification_uri', device.verification_uri, env), device.user_code)
  const { setTimeout: delay } = await import('node:timers/promises')
  const endsAt = Date.now() + device.expires_in * 1_000
  let intervalMs = (device.interval ?? 5) * 1_000
  let waitMs = intervalMs
  while (Date.now() < endsAt) {
    const leftMs = endsAt - Date.now()
    await delay(Math.min(waitMs, Math.max(intervalMs, leftMs)), undefined, { signal })
    const response = await pollForTokens(issuer, device.device_code)
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
