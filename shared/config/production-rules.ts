import { flag } from '#libs/config/variables.js'

/** The opt-outs from production rules, for trying Snipkeep out. */
export const allowInsecureIssuers = {
  OIDC_ALLOW_INSECURE: flag(
    'Whether production accepts issuers at `http:` addresses. Anyone on the network path to one can sign in as anyone: only for trying things out.',
    false,
  ),
}

/** The same for the public address. */
export const allowInsecureAddress = {
  PUBLIC_ALLOW_INSECURE: flag(
    'Whether production accepts a `PUBLIC_BASE_URL` or `SHARE_BASE_URL` that is `http:` or on this machine. Tokens and keys then travel in plain text: only for trying things out.',
    false,
  ),
}

/** The values that the production rules check, as far as a process reads them. */
export interface GuardedValues {
  readonly NODE_ENV: string
  readonly OIDC_ISSUERS?: readonly { readonly issuer: string }[]
  readonly CI_ISSUERS?: readonly { readonly issuer: string }[]
  readonly OIDC_ALLOW_INSECURE?: boolean
  /** `null` if unset. */
  readonly PUBLIC_BASE_URL?: string | null
  /** `null` if share pages have no address of their own. */
  readonly SHARE_BASE_URL?: string | null
  readonly PUBLIC_ALLOW_INSECURE?: boolean
  readonly PAYMENT_PROVIDER?: string
  /** `null` for the provider itself. */
  readonly STRIPE_API_BASE?: string | null
}

const thisMachine = /^(127\.\d+\.\d+\.\d+|localhost|[^.]+\.localhost|\[::1\])$/

function isPlain(url: string): boolean {
  return new URL(url).protocol === 'http:'
}

function isThisMachine(url: string): boolean {
  return thisMachine.test(new URL(url).hostname)
}

function issuerProblems({ OIDC_ISSUERS: issuers = [], OIDC_ALLOW_INSECURE: allowed }: GuardedValues) {
  const plain = issuers.map(({ issuer }) => issuer).filter(isPlain)
  if (plain.length === 0 || allowed === true) return []
  return [
    `OIDC_ISSUERS must not name ${plain.join(', ')} in production: anyone on the network path to an http: issuer can sign in as anyone. Use its https:// address, or set OIDC_ALLOW_INSECURE=true to try Snipkeep out.`,
  ]
}

function ciIssuerProblems({ CI_ISSUERS: issuers = [], OIDC_ALLOW_INSECURE: allowed }: GuardedValues) {
  const plain = issuers.map(({ issuer }) => issuer).filter(isPlain)
  if (plain.length === 0 || allowed === true) return []
  return [
    `CI_ISSUERS must not name ${plain.join(', ')} in production: anyone on the network path to an http: issuer can act as any CI job. Use its https:// address.`,
  ]
}

function addressProblems({ PUBLIC_ALLOW_INSECURE: allowed, ...values }: GuardedValues) {
  return (['PUBLIC_BASE_URL', 'SHARE_BASE_URL'] as const).flatMap((name) => {
    const url = values[name]
    if (url === undefined || url === null || allowed === true) return []
    if (!isPlain(url) && !isThisMachine(url)) return []
    return [
      `${name} must be the public https:// address in production, not ${url}. Set it, or set PUBLIC_ALLOW_INSECURE=true to try Snipkeep out.`,
    ]
  })
}

function paymentProblems({ PAYMENT_PROVIDER: provider, STRIPE_API_BASE: base }: GuardedValues) {
  return [
    ...(provider === 'sandbox'
      ? [
          'PAYMENT_PROVIDER must not be sandbox or unset in production: anyone could press Pay. Set it to stripe or none.',
        ]
      : []),
    ...(typeof base === 'string' && isPlain(base) && !isThisMachine(base)
      ? [
          `STRIPE_API_BASE must not be ${base} in production: the secret key would travel in plain text. Use an https:// address, or unset it to use Stripe.`,
        ]
      : []),
  ]
}

/** The violations of production rules: each names the variable and what to do. */
export function productionProblems(values: GuardedValues): readonly string[] {
  if (values.NODE_ENV !== 'production') return []
  return [
    ...issuerProblems(values),
    ...ciIssuerProblems(values),
    ...addressProblems(values),
    ...paymentProblems(values),
  ]
}
