import { isChecksummed, newChecksummed } from './checksummed-secret.js'

const scheme = 'snk_'

/** A new API key: `snk_`, 34 random base62 characters and 6 of checksum. */
export function newApiKey(): string {
  return newChecksummed(scheme)
}

/** Whether a text has the format and the checksum of an API key; only the store knows whether it is one. */
export function isApiKey(text: string): boolean {
  return isChecksummed(text, scheme)
}
