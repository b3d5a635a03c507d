import { messageWithCauseOf } from '#libs/core/message-of.js'
import { type Finding, ok, skipped, warning } from '#libs/doctor/finding.js'
import { type Fetch, fetchDiscovery } from './fetch-key-set.js'

/** The client of the command line at an issuer. */
export interface CliClient {
  readonly issuer: string
  readonly clientId: string
  readonly redirectUri: string
}

/** With these errors, an issuer asks for interaction after it has accepted the rest of the request. */
const needsInteraction = [
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
]

/** The authorization request of the command line, which the issuer may answer without a browser. */
function requestFor({ clientId, redirectUri }: CliClient, endpoint: string): string {
  const url = new URL(endpoint)
  const parameters = {
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid',
    prompt: 'none',
    state: 'doctor',
    nonce: 'doctor',
    // SHA-256 of a verifier that is never used.
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

function redirectFinding(
  { issuer, clientId, redirectUri }: CliClient,
  check: string,
  response: Response,
): Finding {
  const location = response.headers.get('Location') ?? ''
  const target = URL.canParse(location, issuer) ? new URL(location, issuer) : null
  const remedy = `allow the redirect URI ${redirectUri} for the client ${clientId}, or set OIDC_CLI_CLIENT_ID to one that has it`
  if (response.status >= 300 && response.status < 400 && target?.href.startsWith(`${redirectUri}?`)) {
    const error = target.searchParams.get('error')?.slice(0, 100) ?? ''
    if (error === '' || needsInteraction.includes(error))
      return ok(check, `${issuer} allows the redirect of the command line for the client ${clientId}`)
    return warning(check, `${issuer} rejects the command line with ${error}`, remedy)
  }
  if (response.status >= 400 && response.status < 500)
    return warning(
      check,
      `${issuer} returns ${response.status} to the redirect of the command line for the client ${clientId}, so that snipkeep login fails`,
      remedy,
    )
  return skipped(check, `${issuer} shows this only to a browser; try snipkeep login`)
}

/** Whether an issuer redirects to the page that passes sign-ins on to the command line, as far as can be told without a browser. */
export async function checkCliRedirect(client: CliClient, fetch: Fetch = globalThis.fetch): Promise<Finding> {
  const check = 'command line'
  const signal = AbortSignal.timeout(5_000)
  try {
    const discovery = await fetchDiscovery(client.issuer, fetch, signal)
    const endpoint = discovery.get('authorization_endpoint')
    if (typeof endpoint !== 'string' || !/^https?:/.test(endpoint) || !URL.canParse(endpoint))
      return skipped(check, `${client.issuer} names no authorization endpoint`)
    const response = await fetch(requestFor(client, endpoint), { redirect: 'manual', signal })
    await response.body?.cancel()
    return redirectFinding(client, check, response)
  } catch (error) {
    return skipped(check, `${client.issuer} could not be asked: ${messageWithCauseOf(error)}`)
  }
}
