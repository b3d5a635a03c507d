import { optional, siteUrl, type Variable } from '#libs/config/variables.js'

/** The address of share pages: read by every process that creates links to them. */
export const shareAddressVariables = {
  SHARE_BASE_URL: optional(
    siteUrl(
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

/** The problems with the address of share pages, by variable. */
export function shareAddressProblems(values: ShareAddressValues): readonly string[] {
  const { NODE_ENV: mode, PUBLIC_BASE_URL: publicBaseUrl, SHARE_BASE_URL: shareBaseUrl } = values
  if (shareBaseUrl === null || shareBaseUrl === publicBaseUrl) return []
  const { protocol } = new URL(shareBaseUrl)
  const isDowngrade = publicBaseUrl?.startsWith('https:') === true && protocol !== 'https:'
  return [
    ...(mode === 'production' && publicBaseUrl === null
      ? ['PUBLIC_BASE_URL must be set if SHARE_BASE_URL is.']
      : []),
    ...(isDowngrade ? ['SHARE_BASE_URL must be an https:// address, like PUBLIC_BASE_URL.'] : []),
  ]
}

/** Whether share pages have an origin of their own. */
export function sharesAreApart(publicBaseUrl: string, shareBaseUrl: string): boolean {
  return new URL(publicBaseUrl).origin !== new URL(shareBaseUrl).origin
}
