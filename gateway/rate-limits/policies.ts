import {
  choice,
  integer,
  internal,
  list,
  optional,
  type Values,
  type Variable,
} from '#libs/config/variables.js'
import type { RatePolicy } from '../request/counted-request.js'
import { parseNetwork } from './client-address.js'

/** The bytes that may be searched in a sliding window. */
export interface ByteRate {
  readonly bytes: number
  readonly seconds: number
}

/** Every admitted request is stored until it leaves the window. */
const requestsMax = 10_000

/** The only table of limits; docs/limits.md and the OpenAPI document repeat it. */
const table = [
  {
    name: 'strict',
    key: 'strict',
    variable: 'RATE_LIMIT_STRICT',
    fallback: { requests: 5, seconds: 60 },
    counts:
      'creates by Free callers (including a PATCH with `data`), and requests with rejected credentials, signatures or passwords of shares, or to `POST /api/keys/revoke`, reports of shares, and forms to `POST /tools/{name}`; each counted separately',
    per: 'client IP',
  },
  {
    name: 'standard',
    key: 'standard',
    variable: 'RATE_LIMIT_STANDARD',
    fallback: { requests: 300, seconds: 60 },
    counts: 'all other requests with an identity token or no credentials',
    per: 'user, or client IP without credentials',
  },
  {
    name: 'fair-use',
    key: 'fairUse',
    variable: 'RATE_LIMIT_FAIR_USE',
    fallback: { requests: 600, seconds: 60 },
    counts: 'all requests with an API key or a token of a CI job',
    per: 'API key or trusted publisher',
  },
] as const

type PolicyKey = (typeof table)[number]['key']

/** The policies in force; `null` for no limit. */
export type RatePolicies = Readonly<Record<PolicyKey, RatePolicy | null>>

/** Which requests of callers without Pro are strict. */
export type RateScope = 'create' | 'all'

type Rate = Omit<RatePolicy, 'name'> | null

interface RateRow {
  readonly name: string
  readonly fallback: Omit<RatePolicy, 'name'>
  readonly counts: string
  readonly per: string
}

function rateVariable({ name, fallback, counts, per }: RateRow): Variable<Rate> {
  const { requests, seconds } = fallback
  return {
    description: `The policy \`${name}\` as \`requests/seconds\`, or \`off\`. It counts ${counts}, per ${per}.`,
    fallbackText: `${requests}/${seconds}`,
    secret: false,
    fallback: () => fallback,
    parse(raw) {
      if (raw === 'off') return null
      const [, some, window] = /^([1-9]\d{0,8})\/([1-9]\d{0,5})$/.exec(raw) ?? []
      if (some === undefined || Number(some) > requestsMax)
        throw new Error(`requests/seconds such as 5/60, at most ${requestsMax} requests, or off`)
      return { requests: Number(some), seconds: Number(window) }
    },
  }
}

/** The window stores one entry per 256 KiB, and four times as many for an account. */
const byteRateMax = 640 * 1_048_576

function byteRateVariable(): Variable<ByteRate | null> {
  return {
    description:
      'How many bytes of large documents a client IP may search with `pointer` or compare, as `bytes/seconds`, or `off`. Accounts get four times as much. Documents up to 64 KiB are free.',
    fallbackText: '67108864/60',
    secret: false,
    fallback: () => ({ bytes: 67_108_864, seconds: 60 }),
    parse(raw) {
      if (raw === 'off') return null
      const [, bytes, seconds] = /^([1-9]\d{0,8})\/([1-9]\d{0,5})$/.exec(raw) ?? []
      if (bytes === undefined || Number(bytes) > byteRateMax)
        throw new Error(`bytes/seconds such as 67108864/60, at most ${byteRateMax} bytes, or off`)
      return { bytes: Number(bytes), seconds: Number(seconds) }
    },
  }
}

function newAccountsVariable(): Variable<Rate> {
  return {
    ...rateVariable({ ...table[0], fallback: { requests: 20, seconds: 3_600 } }),
    description:
      'How many accounts may be created from one client IP by signing in for the first time, as `accounts/seconds`, or `off`. Existing accounts are never affected; loopback is exempt.',
  }
}

/** The variables behind the limits. */
export const rateVariables = {
  RATE_LIMIT_STRICT: rateVariable(table[0]),
  RATE_LIMIT_STANDARD: rateVariable(table[1]),
  RATE_LIMIT_FAIR_USE: rateVariable(table[2]),
  INTERNAL_RATE_LIMIT_POINTER_BYTES: internal(byteRateVariable()),
  NEW_ACCOUNTS_PER_ADDRESS: newAccountsVariable(),
  RATE_LIMIT_SCOPE: choice(
    'Which requests of callers without Pro count towards `strict`: `create` (creates only) or `all`.',
    ['create', 'all'],
    'create',
  ),
  TRUSTED_PROXIES: list(
    'Your proxies, as comma-separated networks (CIDR) or addresses. The client IP is the right-most address in `X-Forwarded-For` that is not among them.',
    (item) => {
      parseNetwork(item)
      return item
    },
    [],
  ),
  TRUSTED_HOPS: optional(
    integer(
      'The number of proxies in front, instead of `TRUSTED_PROXIES`. The client IP is that many entries from the right in `X-Forwarded-For`. Only safe if no one can reach the gateway without passing through them.',
      { min: 1, max: 32 },
    ),
  ),
}

/** The limit of new accounts; `null` for none. */
export function newAccountPolicy({
  NEW_ACCOUNTS_PER_ADDRESS: rate,
}: Values<Pick<typeof rateVariables, 'NEW_ACCOUNTS_PER_ADDRESS'>>): RatePolicy | null {
  return rate === null ? null : { name: 'new-accounts', ...rate }
}

/** The policies that these variables describe. */
export function ratePolicies(values: Values<typeof rateVariables>): RatePolicies {
  const named = ({ name, variable }: (typeof table)[number]): RatePolicy | null => {
    const rate = values[variable]
    return rate === null ? null : { name, ...rate }
  }
  const [strict, standard, fairUse] = table
  return { strict: named(strict), standard: named(standard), fairUse: named(fairUse) }
}

/** The cells of the table of limits with the default rates, the head first. */
export const policyRows: readonly (readonly string[])[] = [
  ['policy', 'requests', 'counts', 'per'],
  ...table.map(({ name, fallback: { requests, seconds }, counts, per }) => [
    `\`${name}\``,
    `${requests} in ${seconds} s`,
    counts,
    per,
  ]),
]

/** The same table in Markdown. */
export function policyTable(): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const [head = [], ...rows] = policyRows
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
