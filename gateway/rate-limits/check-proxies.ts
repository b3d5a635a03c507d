import ipaddr from 'ipaddr.js'
import { type Finding, ok, problem, warning } from '#libs/doctor/finding.js'
import { matches, parseNetwork } from './client-address.js'

export interface ProxySettings {
  readonly trustedProxies: readonly string[]
  /** The number of trusted proxies, instead of their addresses; `null` if not set. */
  readonly trustedHops: number | null
  readonly publicBaseUrl: string
}

const check = 'proxies'
/** The widest network of public addresses that a single operator is likely to own. */
const prefixMin = { ipv4: 16, ipv6: 32 }
/** The same for private networks, which may contain callers besides proxies. */
const privatePrefixMin = { ipv4: 16, ipv6: 48 }

function widePrivate(network: string): Finding {
  return warning(
    check,
    `${network} is a wide private network. It may include a load balancer that replaces the client's address with its own; callers behind it can then choose the address that rate limits use`,
    'TRUSTED_PROXIES=the addresses of your own proxies, or TRUSTED_HOPS=how many there are',
  )
}

/** `null` if the network may be trusted. */
function networkFinding(network: string): Finding | null {
  const [address, length] = parseNetwork(network)
  if (length === 0)
    return problem(
      check,
      `${network} is everyone: any caller who sends X-Forwarded-For chooses the address that rate limits use`,
      'TRUSTED_PROXIES=the addresses of your own proxies',
    )
  const kind = address instanceof ipaddr.IPv4 ? 'ipv4' : 'ipv6'
  if (address.range() !== 'unicast') return length >= privatePrefixMin[kind] ? null : widePrivate(network)
  if (length >= prefixMin[kind]) return null
  return warning(
    check,
    `${network} holds many public addresses, whose owners can choose the address that rate limits use`,
    'TRUSTED_PROXIES=the addresses of your own proxies',
  )
}

/** Whether the trusted proxies match the public address, and are narrow enough. */
export function checkProxies(settings: ProxySettings): readonly Finding[] {
  const { trustedProxies, trustedHops, publicBaseUrl } = settings
  if (trustedHops !== null) return [ok(check, `${trustedHops} in front are trusted, at any address`)]
  // The gateway itself does not serve TLS.
  const hasProxy = new URL(publicBaseUrl).protocol === 'https:'
  if (trustedProxies.length === 0 && hasProxy)
    return [
      warning(
        check,
        'https ends at a proxy that is not trusted, so all callers count as one address',
        'TRUSTED_PROXIES=the address of that proxy, or TRUSTED_HOPS=1',
      ),
    ]
  const found = trustedProxies.map(networkFinding).filter((finding) => finding !== null)
  if (found.length > 0) return found
  return [
    ok(check, trustedProxies.length === 0 ? 'none is in front' : `${trustedProxies.join(', ')} are trusted`),
  ]
}

interface ProxyValues {
  readonly NODE_ENV: string
  readonly TRUSTED_PROXIES: readonly string[]
  readonly TRUSTED_HOPS: number | null
}

type Network = ReturnType<typeof parseNetwork>

function isWithin([address, length]: Network, other: Network): boolean {
  return length >= other[1] && matches(address, [other])
}

/** The fraction of all addresses that these networks cover, from 0 to 1; all must be IPv4, or all IPv6. */
function shareOf(networks: readonly Network[]): number {
  const disjoint: Network[] = []
  for (const network of networks.toSorted(([, one], [, other]) => one - other))
    if (!disjoint.some((wider) => isWithin(network, wider))) disjoint.push(network)
  return disjoint.reduce((sum, [, length]) => sum + 2 ** -length, 0)
}

/** Problems of `TRUSTED_PROXIES` and `TRUSTED_HOPS`. */
export function proxyProblems(values: ProxyValues): readonly string[] {
  const { NODE_ENV: mode, TRUSTED_PROXIES: trusted, TRUSTED_HOPS: hops } = values
  const networks = trusted.map(parseNetwork)
  const kinds = ['ipv4', 'ipv6'].map((kind) => networks.filter(([address]) => address.kind() === kind))
  return [
    ...(trusted.length > 0 && hops !== null
      ? ['TRUSTED_HOPS and TRUSTED_PROXIES must not both be set. Keep one of them.']
      : []),
    ...(mode === 'production' && kinds.some((some) => shareOf(some) >= 0.5)
      ? [
          'TRUSTED_PROXIES must not cover half of all addresses or more in production: anyone could choose the address that rate limits use. Name your own proxies, or set TRUSTED_HOPS.',
        ]
      : []),
  ]
}
