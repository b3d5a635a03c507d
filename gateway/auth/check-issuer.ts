import { messageWithCauseOf } from '#libs/core/message-of.js'
import { readMembers } from '#libs/core/read-json.js'
import { clockFinding, skewOf } from '#libs/doctor/clock-finding.js'
import { type Finding, ok, problem, warning } from '#libs/doctor/finding.js'
import type { TrustedIssuer } from '#shared/config/issuer-variables.js'
import { type Fetch, fetchKeySet } from './fetch-key-set.js'

export interface IssuerCheck extends TrustedIssuer {
  readonly production: boolean
}

/** What the responses reveal besides the keys. */
interface Observed {
  skewMs: number | null
  /** The `issuer` of the discovery document. */
  announced: string | null
}

function announcedIn(text: string): string | null {
  const issuer = readMembers(text)?.issuer
  return typeof issuer === 'string' ? issuer.slice(0, 500) : null
}

/** A `fetch` that records the clock and the name of the issuer. */
function observing(fetch: Fetch, observed: Observed): Fetch {
  return async (url, init) => {
    const askedAt = Date.now()
    const response = await fetch(url, init)
    const arrivedAt = Date.now()
    const date = Date.parse(response.headers.get('Date') ?? '')
    // The header has whole seconds, so the clock may be anywhere within that second.
    if (!Number.isNaN(date)) {
      const said = Math.max(date, Math.min(askedAt, date + 999))
      observed.skewMs = skewOf({ askedAt, said, arrivedAt })
    }
    if (url.endsWith('/.well-known/openid-configuration') && response.ok) {
      const text = await response.text()
      observed.announced = announcedIn(text)
      return new Response(text, { status: response.status, headers: response.headers })
    }
    return response
  }
}

function whyNoKeys(
  { issuer, audience }: TrustedIssuer,
  check: string,
  announced: string | null,
  error: unknown,
): Finding {
  if (announced !== null && announced !== issuer)
    return problem(
      check,
      `${issuer} calls itself ${announced}, so none of its tokens is accepted`,
      `OIDC_ISSUERS=${announced}=${audience}`,
    )
  const discovery = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  return problem(
    check,
    `${issuer} returns no keys: ${messageWithCauseOf(error)}`,
    `run curl ${discovery} on this machine, and fix OIDC_ISSUERS if it is a different issuer`,
  )
}

function protocolFinding({ issuer, production }: IssuerCheck, check: string): Finding | null {
  const { protocol, hostname } = new URL(issuer)
  if (protocol === 'https:') return null
  const message = `${issuer} is reached in plain text, so anyone on the network path can substitute keys of their own`
  const remedy = `OIDC_ISSUERS=https://${issuer.slice('http://'.length)}=…`
  if (production) return problem(check, message, remedy)
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname) ? null : warning(check, message, remedy)
}

/** Whether an issuer is reachable, is the configured one, publishes usable keys and has the same time. */
export async function checkIssuer(
  target: IssuerCheck,
  fetch: Fetch = globalThis.fetch,
): Promise<readonly Finding[]> {
  const check = 'issuer'
  const observed: Observed = { skewMs: null, announced: null }
  const findings: (Finding | null)[] = [protocolFinding(target, check)]
  try {
    const keys = await fetchKeySet(target.issuer, observing(fetch, observed), 5_000)
    findings.push(ok(check, `${target.issuer} publishes ${keys.size} usable keys`))
  } catch (error) {
    findings.push(whyNoKeys(target, check, observed.announced, error))
  }
  const { skewMs } = observed
  if (skewMs !== null) findings.push(clockFinding('issuer clock', target.issuer, skewMs))
  return findings.filter((finding) => finding !== null)
}
