import { createClientAddress, createIsWithin } from './client-address.js'

/** Programs of this machine: proxies in front as a rule, and those who operate it. */
const loopback = ['127.0.0.0/8', '::1/128']

/**
 * The client that a connection counts for, by the address of its socket: nothing else is known before the first request.
 * `null` for trusted proxies and on loopback, where one address speaks for many clients.
 * @param trusted networks as `parseNetwork` takes them.
 */
export function createConnectionClient(
  trusted: readonly string[],
): (remoteAddress: string | undefined) => string | null {
  const speaksForMany = createIsWithin([...trusted, ...loopback])
  const clientAddress = createClientAddress([])
  return (remoteAddress) => (speaksForMany(remoteAddress) ? null : clientAddress(remoteAddress, undefined))
}
