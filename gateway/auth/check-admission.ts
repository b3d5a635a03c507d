import { type Finding, ok, problem, warning } from '#libs/doctor/finding.js'
import type { TrustedIssuer } from '#shared/config/issuer-variables.js'
import type { RequiredClaim } from './required-claims.js'

interface PublicIssuer {
  readonly matches: (issuer: URL) => boolean
  /** A required claim that admits only one organization. */
  readonly example: string
}

const hostIs =
  (...hosts: readonly string[]) =>
  ({ hostname }: URL): boolean =>
    hosts.includes(hostname)

/** The tenant of personal Microsoft accounts: the `iss` of tokens has this id instead of `consumers`. */
const personalTenant = '9188040d-6c67-4c5b-b112-36a304b66dad'
const openTenants = ['common', 'organizations', 'consumers', personalTenant]

/** Issuers where anyone can get an account. */
const publicIssuers: readonly PublicIssuer[] = [
  { matches: hostIs('accounts.google.com'), example: 'hd=example.com' },
  {
    matches: ({ hostname, pathname }) =>
      hostname === 'login.microsoftonline.com' && openTenants.includes(pathname.split('/')[1] ?? ''),
    example: 'tid=ID_OF_YOUR_TENANT',
  },
  { matches: hostIs('gitlab.com'), example: 'groups_direct=YOUR_GROUP' },
  {
    matches: hostIs(
      'appleid.apple.com',
      'www.facebook.com',
      'www.linkedin.com',
      'slack.com',
      'discord.com',
      'id.twitch.tv',
      'api.login.yahoo.com',
      'www.paypal.com',
    ),
    example: 'email=you@example.com,email_verified=true',
  },
]

const isOfJobs = hostIs('token.actions.githubusercontent.com')

function describeClaim({ name, values }: RequiredClaim): string {
  return `${name}=${values.join(' or ')}`
}

/** Who may sign in; a warning if anyone in the world may. */
export function checkAdmission(
  issuers: readonly Pick<TrustedIssuer, 'issuer'>[],
  required: readonly RequiredClaim[],
): readonly Finding[] {
  const check = 'who may sign in'
  const ofJobs = issuers.find(({ issuer }) => isOfJobs(new URL(issuer)))
  if (ofJobs !== undefined) {
    const remedy = 'take it out of OIDC_ISSUERS, and let owners add trusted publishers (docs/ci.md)'
    return [problem(check, `${ofJobs.issuer} signs tokens of CI jobs, which sign no one in`, remedy)]
  }
  if (required.length > 0)
    return [ok(check, `tokens that carry ${required.map(describeClaim).join(' and ')} (OIDC_REQUIRE_CLAIM)`)]
  const names = [...new Set(issuers.map(({ issuer }) => issuer))]
  const open = names.flatMap((issuer) => {
    const known = publicIssuers.find(({ matches }) => matches(new URL(issuer)))
    return known === undefined ? [] : [{ issuer, example: known.example }]
  })
  if (open.length === 0) return [ok(check, `everyone with an account at ${names.join(' or ')}`)]
  return open.map(({ issuer, example }) =>
    warning(
      check,
      `anyone with an account at ${issuer}, since no claim is required`,
      `OIDC_REQUIRE_CLAIM=${example}`,
    ),
  )
}
