/**
 * Navigates to a page of the payment provider.
 * @throws Error when the URL is not http(s).
 */
export function redirectTo(address: string): void {
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error('not the address of a page')
  location.assign(url.href)
}
