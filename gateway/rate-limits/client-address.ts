import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = readonly [Address, number]

/** The client address that rate limits use for a request. */
export type ClientAddress = (
  /** The address of the socket. */
  remoteAddress: string | undefined,
  /** `X-Forwarded-For`, if it was sent. */
  forwardedFor: string | undefined,
) => string

/** No chain of proxies is longer; earlier entries are ignored. */
const hopsMax = 32
/** The longest address with brackets, zone and port. */
const hopLengthMax = 100
const networkBytes = 8
/** How many socket addresses are cached. */
export const neighboursMax = 1_000

/** Strips brackets and port from `[::1]:80` and `1.2.3.4:80`. */
function withoutPort(text: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text) ?? []
  const [, host] = /^([\d.]+):\d{1,5}$/.exec(text) ?? []
  return bracketed ?? host ?? text
}

/** The address in a text, with IPv4-mapped IPv6 as IPv4; `null` for anything else. */
function parseAddress(text: string): Address | null {
  if (text.length > hopLengthMax) return null
  const [bare = '', zone] = withoutPort(text.trim()).split('%')
  // ipaddr.js also parses octal, hexadecimal and short forms, which no proxy writes but a forger may.
  if (isIP(bare) === 0 || (zone !== undefined && isIP(bare) === 4)) return null
  return ipaddr.process(bare)
}

/**
 * A network in CIDR notation, or a single address.
 * @throws Error that completes "TRUSTED_PROXIES must be …".
 */
export function parseNetwork(text: string): Network {
  const [host = '', prefix, ...more] = text.split('/')
  const address = isIP(host) === 0 ? null : ipaddr.parse(host)
  const bits = address?.kind() === 'ipv4' ? 32 : 128
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  if (address === null || more.length > 0 || !(length <= bits)) {
    throw new Error('a comma-separated list of addresses or networks such as 10.0.0.0/8 or 2001:db8::/32')
  }
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && length >= 96) {
    return [address.toIPv4Address(), length - 96]
  }
  return [address, length]
}

function matches(address: Address, networks: readonly Network[]): boolean {
  return networks.some(([network, length]) => {
    if (address instanceof ipaddr.IPv4)
      return network instanceof ipaddr.IPv4 && address.match(network, length)
    return network instanceof ipaddr.IPv6 && address.match(network, length)
  })
}

/**
 * Returns whether a socket address lies in one of these networks.
 * @param networks as `parseNetwork` accepts them.
 */
export function createIsWithin(networks: readonly string[]): (address: string | undefined) => boolean {
  const parsed = networks.map(parseNetwork)
  return (text = '') => {
    const address = parseAddress(text)
    return address !== null && matches(address, parsed)
  }
}

/** IPv6 by its /64, which is what one customer gets. */
function subjectOf(address: Address): string {
  if (address instanceof ipaddr.IPv4) return address.toString()
  const bytes = address.toByteArray().map((byte, index) => (index < networkBytes ? byte : 0))
  return `${new ipaddr.IPv6(bytes).toString()}/64`
}

/** The address that the outermost of so many proxies saw: each appends the address of its caller. */
function outermost(nearest: Address, forwardedFor: string, hops: number): Address {
  let client = nearest
  let end = forwardedFor.length
  for (let hop = 0; hop < hops && end >= 0; hop += 1) {
    const start = forwardedFor.lastIndexOf(',', end - 1) + 1
    const address = parseAddress(forwardedFor.slice(Math.max(start, end - hopLengthMax - 1), end))
    if (address === null) return nearest
    client = address
    end = start - 1
  }
  return client
}

const wideNetworkBytes = 6

/** The /48 of the /64 at the end of a subject: what one site or tunnel gets. The text before the address stays. */
export function wideNetworkOf(subject: string): string {
  const start = subject.lastIndexOf(' ') + 1
  const address = ipaddr.parse(subject.slice(start, -'/64'.length))
  const bytes = address.toByteArray().map((byte, index) => (index < wideNetworkBytes ? byte : 0))
  return `${subject.slice(0, start)}${new ipaddr.IPv6(bytes).toString()}/48`
}

/**
 * The client of a request: the socket's address, or behind trusted proxies the right-most untrusted address of
 * `X-Forwarded-For`, or the left-most if all are trusted. If an entry is malformed, the socket's address counts.
 * @param trusted networks as `parseNetwork` accepts them.
 * @param hops the number of proxies instead, at any address: then the address that many entries from the right.
 */
export function createClientAddress(trusted: readonly string[], hops: number | null = null): ClientAddress {
  const networks = trusted.map(parseNetwork)
  const believesNobody = networks.length === 0 && hops === null

  const behindProxies = (nearest: Address, forwardedFor: string): Address => {
    let client = nearest
    let end = forwardedFor.length
    for (let hop = 0; hop < hopsMax && end >= 0; hop += 1) {
      const start = forwardedFor.lastIndexOf(',', end - 1) + 1
      const address = parseAddress(forwardedFor.slice(Math.max(start, end - hopLengthMax - 1), end))
      if (address === null) return nearest
      if (!matches(address, networks)) return address
      client = address
      end = start - 1
    }
    return client
  }

  const subjectBehind = (remoteAddress: string, forwardedFor: string | undefined): string => {
    const nearest = parseAddress(remoteAddress)
    if (nearest === null) return 'unknown'
    if (believesNobody || forwardedFor === undefined) return subjectOf(nearest)
    if (hops !== null) return subjectOf(outermost(nearest, forwardedFor, hops))
    if (!matches(nearest, networks)) return subjectOf(nearest)
    return subjectOf(behindProxies(nearest, forwardedFor))
  }
  // Connections send many requests, and parsing an address takes longer than most headers.
  const direct = new LRUCache<string, string>({
    max: neighboursMax,
    memoMethod: (remoteAddress) => subjectBehind(remoteAddress, undefined),
  })
  const forwarded = new LRUCache<string, string>({
    max: neighboursMax,
    memoMethod(pair) {
      const end = pair.indexOf(' ')
      return subjectBehind(pair.slice(0, end), pair.slice(end + 1))
    },
  })

  return (remoteAddress = '', forwardedFor) => {
    if (believesNobody || forwardedFor === undefined) return direct.memo(remoteAddress)
    if (forwardedFor.length > hopLengthMax) return subjectBehind(remoteAddress, forwardedFor)
    return forwarded.memo(`${remoteAddress} ${forwardedFor}`)
  }
}
