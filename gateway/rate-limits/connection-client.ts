import { createClientAddress, createIsWithin } from './client-address.js'

/** Programs of this machine: proxies in front as a rule, and those who operate it. */
const loopback = ['127.0.0.0/8', '::1/128']

/**
 * The client that a connection counts for, by the address of its socket: nothing else is known before the first request.
 * `null` for trusted proxies and on loopback, where one address speaks for many clients.
 * @param trusted networks as `parseNetwork` takes them.
 * @param hops how many proxies there are instead, so that every connection is one of a proxy.
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
