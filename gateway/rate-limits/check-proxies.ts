import ipaddr from 'ipaddr.js'
import { type Finding, ok, problem, warning } from '#libs/doctor/finding.js'
import { parseNetwork } from './client-address.js'

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
