import { matches, parseNetwork } from './client-address.js'

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
