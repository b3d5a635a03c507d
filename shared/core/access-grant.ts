/** The header of a grant, to the API and to the web application. */
export const accessGrantHeader = 'snipkeep-grant'

/** The header of a new share's password, for raw uploads: their query must not hold it, because proxies log that. */
export const sharePasswordHeader = 'snipkeep-share-password'

/** Tells the web application why it gets the form of a gated share again. The gateway removes it from requests. */
export const revealErrorHeader = 'x-snipkeep-reveal-error'

/** How long a grant opens its share, in milliseconds. */
export const accessGrantMs = 600_000

/** A grant: 27 characters of base62 contain 160 random bits. */
export const accessGrantLength = 27

/** Whether a text has the format of a grant; nothing else is looked up. */
export function isAccessGrant(text: string): boolean {
  return /^[0-9A-Za-z]{27}$/.test(text)
}
