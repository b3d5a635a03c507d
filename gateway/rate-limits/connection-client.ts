import { createClientAddress, createIsWithin, loopbackNetworks } from './client-address.js'

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
