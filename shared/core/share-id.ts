/** Of the id of a gated share. */
export const gatedShareIdLength = 24

/**
 * Whether a text has the format of a gated share's id: two characters more than any other id. Processes of a release
 * without gates refuse it before they look for the share, so none of them serves it.
 */
export function isGatedShareId(text: string): boolean {
  return /^[0-9A-Za-z]{24}$/.test(text)
}

/** Whether a text has the format of the id of a share, gated or not. */
export function isShareId(text: string | undefined): text is string {
  return text !== undefined && /^[0-9A-Za-z]{22}(?:[0-9A-Za-z]{2})?$/.test(text)
}
