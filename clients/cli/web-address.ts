/** This machine: RFC 6761 keeps `localhost` and all names below it for it. */
const thisMachine = /^(([^.]+\.)*localhost|127(\.\d+){3}|\[::1\])$/

/**
 * Whether credentials may be sent to an address, and a browser opened at it: `https:`, or `http:` of this machine.
 * Systems open other schemes with other programs.
 */
export function isWebAddress({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && thisMachine.test(hostname))
}

/** The same, and whatever the person allows. */
export function isAllowedAddress(address: URL, env: Readonly<Record<string, string | undefined>>): boolean {
  return isWebAddress(address) || (address.protocol === 'http:' && env.SNIPKEEP_ALLOW_INSECURE === 'true')
}

/** Whether two addresses of servers are the same, with or without a slash at the end. */
export function isSameAddress(one: string, other: string): boolean {
  const plain = (text: string): string | null =>
    URL.canParse(text) ? new URL(text).href.replace(/\/+$/, '') : null
  return plain(one) !== null && plain(one) === plain(other)
}
