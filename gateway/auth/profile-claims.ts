import type { Claims } from './token-claims.js'

/** The profile in a token. It never identifies the account; malformed claims are omitted. */
export interface ProfileClaims {
  readonly email: string | null
  /** False without an address. */
  readonly emailVerified: boolean
  readonly name: string | null
  /** A normalized https URL. */
  readonly picture: string | null
}

const emailLengthMax = 320
const nameCodePointsMax = 200
const pictureLengthMax = 2_048

/** Control characters, and marks that change the text direction. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

function emailOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > emailLengthMax) return null
  return value.isWellFormed() && value.search(unprintable) === -1 ? value : null
}

function nameOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const printable = value.toWellFormed().replaceAll(unprintable, '').trim()
  const name = Array.from(printable).slice(0, nameCodePointsMax).join('')
  return name === '' ? null : name
}

function pictureOf(value: unknown): string | null {
  if (typeof value !== 'string' || !value.startsWith('https://') || !URL.canParse(value)) return null
  const url = new URL(value)
  const isPlain = url.username === '' && url.password === ''
  return isPlain && url.href.length <= pictureLengthMax ? url.href : null
}

/** Cuts a longer name to 200 characters. */
export function readProfile(claims: Claims): ProfileClaims {
  const email = emailOf(claims.get('email'))
  return {
    email,
    // Cognito, Apple and others send it as text.
    emailVerified:
      email !== null && [true, 'true'].includes(claims.get('email_verified') as boolean | string),
    name: nameOf(claims.get('name')),
    picture: pictureOf(claims.get('picture')),
  }
}
