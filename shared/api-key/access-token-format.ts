import { isChecksummed, newChecksummed } from './checksummed-secret.js'

const scheme = 'snx_'

/** A new access token for a CI job: `snx_`, and the rest as in an API key. */
export function newAccessToken(): string {
  return newChecksummed(scheme)
}

/** Whether a text says that it is an access token. */
export function looksLikeAccessToken(text: string): boolean {
  return text.startsWith(scheme)
}

/** Whether a text has the shape and the checksum of an access token; whether it is one only its store knows. */
export function isAccessToken(text: string): boolean {
  return isChecksummed(text, scheme)
}
