/**
 * Leaves for a page of the payment provider.
 * @throws Error when the address is none that browsers open as a page.
 */
export function leaveFor(address: string): void {
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error('not the address of a page')
  location.assign(url.href)
}
