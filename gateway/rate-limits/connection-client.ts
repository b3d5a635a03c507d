import { createClientAddress, createIsWithin } from './client-address.js'

/** Loopback: usually local proxies and the operator's own programs. */
const loopback = ['127.0.0.0/8', '::1/128']

/**
 * The client that a connection counts for, by the address of its socket: nothing else is known before the first
 * request. `null` for trusted proxies and loopback, where one address represents many clients.
 * @param trusted networks as `parseNetwork` accepts them.
 * @param hops the number of proxies instead, so that every connection comes from a proxy.
 */
export function createConnectionClient(
  trusted: readonly string[],
  hops: number | null = null,
): (remoteAddress: string | undefined) => string | null {
  if (hops !== null) return () => null
  const speaksForMany = createIsWithin([...trusted, ...loopback])
  const clientAddress = createClientAddress([])
  return (remoteAddress) => (speaksForMany(remoteAddress) ? null : clientAddress(remoteAddress, undefined))
}
