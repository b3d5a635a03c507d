import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = readonly [Address, number]

/**
 * The client IP that rate limits use.
 * @param remoteAddress that of the socket.
 * @param forwardedFor the `X-Forwarded-For` header.
 */
export type ClientAddress = (remoteAddress: string | undefined, forwardedFor: string | undefined) => string

/** Entries beyond this many are ignored; no real chain of proxies is longer. */
const hopsMax = 32
/** The longest address with brackets, zone and port. */
const hopLengthMax = 100
const networkBytes = 8
/** The size of each cache of addresses. */
export const addressesMax = 1_000

/** Strips brackets and port from `[::1]:80` and `1.2.3.4:80`. */
function withoutPort(text: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text) ?? []
  const [, host] = /^([\d.]+):\d{1,5}$/.exec(text) ?? []
  return bracketed ?? host ?? text
}

/** Turns IPv4-mapped IPv6 into IPv4; `null` if the text is not an address. */
function parseAddress(text: string): Address | null {
  if (text.length > hopLengthMax) return null
  const [bare = '', zone] = withoutPort(text.trim()).split('%')
  // ipaddr.js also parses octal, hexadecimal and short forms, which no proxy writes but a forger may.
  if (isIP(bare) === 0 || (zone !== undefined && isIP(bare) === 4)) return null
  return ipaddr.process(bare)
}

/**
 * Parses a network in CIDR notation, or a single address.
 * @throws Error whose message completes "TRUSTED_PROXIES must be …".
 */
export function parseNetwork(text: string): Network {
  const [host = '', prefix, ...more] = text.split('/')
  const address = isIP(host) === 0 ? null : ipaddr.parse(host)
  const bits = address?.kind() === 'ipv4' ? 32 : 128
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  if (address === null || more.length > 0 || !(length <= bits))
    throw new Error('a comma-separated list of addresses or networks such as 10.0.0.0/8 or 2001:db8::/32')
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && length >= 96)
    return [address.toIPv4Address(), length - 96]
  return [address, length]
}

/** Whether an address lies in one of these networks. */
export function matches(address: Address, networks: readonly Network[]): boolean {
  return networks.some(([network, length]) => {
    if (address instanceof ipaddr.IPv4)
      return network instanceof ipaddr.IPv4 && address.match(network, length)
    return network instanceof ipaddr.IPv6 && address.match(network, length)
  })
}

/** Addresses of the machine itself: usually local proxies and the operator's own programs. */
export const loopbackNetworks: readonly string[] = ['127.0.0.0/8', '::1/128']

/**
 * Checks whether the address of a socket lies in one of these networks.
 * @param networks as `parseNetwork` accepts them.
 */
export function createIsWithin(networks: readonly string[]): (address: string | undefined) => boolean {
  const parsed = networks.map(parseNetwork)
  return (text = '') => {
    const address = parseAddress(text)
    return address !== null && matches(address, parsed)
  }
}

/** IPv6 counts by its /64, which is what one customer gets. */
function subjectOf(address: Address): string {
  if (address instanceof ipaddr.IPv4) return address.toString()
  const bytes = address.toByteArray().map((byte, index) => (index < networkBytes ? byte : 0))
  return `${new ipaddr.IPv6(bytes).toString()}/64`
}

/**
 * Walks the entries of `X-Forwarded-For` from the right, since each proxy appends the address of its caller.
 * @returns the first entry that is not a proxy, or the last one visited; `nearest` if an entry is malformed.
 */
function walkBack(
  nearest: Address,
  forwardedFor: string,
  entriesMax: number,
  isProxy: (address: Address) => boolean,
): Address {
  let client = nearest
  let end = forwardedFor.length
  for (let entry = 0; entry < entriesMax && end >= 0; entry += 1) {
    const start = forwardedFor.lastIndexOf(',', end - 1) + 1
    const address = parseAddress(forwardedFor.slice(Math.max(start, end - hopLengthMax - 1), end))
    if (address === null) return nearest
    if (!isProxy(address)) return address
    client = address
    end = start - 1
  }
  return client
}

const wideNetworkBytes = 6

/** The subject with its /64 widened to the /48, which is what one site or tunnel gets. */
export function wideNetworkOf(subject: string): string {
  const start = subject.lastIndexOf(' ') + 1
  const address = ipaddr.parse(subject.slice(start, -'/64'.length))
  const bytes = address.toByteArray().map((byte, index) => (index < wideNetworkBytes ? byte : 0))
  return `${subject.slice(0, start)}${new ipaddr.IPv6(bytes).toString()}/48`
}

/**
 * The client is the socket's address, or behind trusted proxies the right-most untrusted address in `X-Forwarded-For`
 * (the left-most one if all are trusted). If an entry is malformed, it is the socket's address.
 * @param trusted networks as `parseNetwork` accepts them.
 * @param hops the number of proxies, whatever their addresses, instead of `trusted`: the client is the entry that many
 *   places from the right.
 */
export function createClientAddress(trusted: readonly string[], hops: number | null = null): ClientAddress {
  const networks = trusted.map(parseNetwork)
  const trustsNoProxy = networks.length === 0 && hops === null
  const isTrusted = (address: Address): boolean => matches(address, networks)

  const subjectBehind = (remoteAddress: string, forwardedFor: string | undefined): string => {
    const nearest = parseAddress(remoteAddress)
    if (nearest === null) return 'unknown'
    if (trustsNoProxy || forwardedFor === undefined) return subjectOf(nearest)
    if (hops !== null) return subjectOf(walkBack(nearest, forwardedFor, hops, () => true))
    if (!isTrusted(nearest)) return subjectOf(nearest)
    return subjectOf(walkBack(nearest, forwardedFor, hopsMax, isTrusted))
  }
  // A connection sends many requests, and parsing an address takes longer than parsing most headers.
  const direct = new LRUCache<string, string>({
    max: addressesMax,
    memoMethod: (remoteAddress) => subjectBehind(remoteAddress, undefined),
  })
  const forwarded = new LRUCache<string, string>({
    max: addressesMax,
    memoMethod(pair) {
      const end = pair.indexOf(' ')
      return subjectBehind(pair.slice(0, end), pair.slice(end + 1))
    },
  })

  return (remoteAddress = '', forwardedFor) => {
    if (trustsNoProxy || forwardedFor === undefined) return direct.memo(remoteAddress)
    if (forwardedFor.length > hopLengthMax) return subjectBehind(remoteAddress, forwardedFor)
    return forwarded.memo(`${remoteAddress} ${forwardedFor}`)
  }
}

/**
 * The client that a connection counts towards, by the address of its socket: before the first request, nothing else is
 * known. `null` for trusted proxies and loopback, where one address stands for many clients.
 * @param trusted networks as `parseNetwork` accepts them.
 * @param hops the number of proxies; if set, every connection comes from a proxy.
 */
export function createConnectionClient(
  trusted: readonly string[],
  hops: number | null = null,
): (remoteAddress: string | undefined) => string | null {
  if (hops !== null) return () => null
  const isShared = createIsWithin([...trusted, ...loopbackNetworks])
  const clientAddress = createClientAddress([])
  return (remoteAddress) => (isShared(remoteAddress) ? null : clientAddress(remoteAddress, undefined))
}
