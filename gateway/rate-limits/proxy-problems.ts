import ipaddr from 'ipaddr.js'
import { parseNetwork } from './client-address.js'

interface ProxyValues {
  readonly NODE_ENV: string
  readonly TRUSTED_PROXIES: readonly string[]
  readonly TRUSTED_HOPS: number | null
}

type Network = ReturnType<typeof parseNetwork>

function isWithin([address, length]: Network, [other, otherLength]: Network): boolean {
  if (length < otherLength) return false
  if (address instanceof ipaddr.IPv4) return other instanceof ipaddr.IPv4 && address.match(other, otherLength)
  return other instanceof ipaddr.IPv6 && address.match(other, otherLength)
}

/** The fraction of all addresses of a kind in these networks, from 0 to 1. */
function shareOf(networks: readonly Network[]): number {
  const apart: Network[] = []
  for (const network of networks.toSorted(([, one], [, other]) => one - other))
    if (!apart.some((wider) => isWithin(network, wider))) apart.push(network)
  return apart.reduce((sum, [, length]) => sum + 2 ** -length, 0)
}

/** The problems with the settings for the client IP, by variable. */
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
