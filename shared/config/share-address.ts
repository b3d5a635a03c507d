import { httpUrl, optional, type Variable } from '#libs/config/variables.js'

/** Where the pages of shares are: read by every process that makes links to them. */
export const shareAddressVariables = {
  SHARE_BASE_URL: optional(
    httpUrl(
      'A separate address for share pages, on a host that also leads to the gateway. Shared content then never has the origin of the dashboard and API.',
    ),
    '`PUBLIC_BASE_URL`',
  ),
} satisfies Readonly<Record<string, Variable<unknown>>>

interface ShareAddressValues {
  readonly NODE_ENV: string
  readonly PUBLIC_BASE_URL: string | null
  readonly SHARE_BASE_URL: string | null
}

/** What is wrong with the address of the pages of shares, by variable. */
export function shareAddressProblems(values: ShareAddressValues): readonly string[] {
  const { NODE_ENV: mode, PUBLIC_BASE_URL: publicBaseUrl, SHARE_BASE_URL: shareBaseUrl } = values
  if (shareBaseUrl === null || shareBaseUrl === publicBaseUrl) return []
  const { origin, protocol } = new URL(shareBaseUrl)
  const isDowngrade = publicBaseUrl?.startsWith('https:') === true && protocol !== 'https:'
  return [
    ...(origin === shareBaseUrl
      ? []
      : ['SHARE_BASE_URL must be an origin such as https://share.example, without a path.']),
    ...(mode === 'production' && publicBaseUrl === null
      ? ['PUBLIC_BASE_URL must be set if SHARE_BASE_URL is.']
      : []),
    ...(isDowngrade ? ['SHARE_BASE_URL must be an https:// address, like PUBLIC_BASE_URL.'] : []),
  ]
}

/** Whether the pages of shares have an origin of their own. */
export function sharesAreApart(publicBaseUrl: string, shareBaseUrl: string): boolean {
  return new URL(publicBaseUrl).origin !== new URL(shareBaseUrl).origin
}
