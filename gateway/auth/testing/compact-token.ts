import type { SigningKey } from './signing-key.js'

/** A header or payload: members, or the very text, which may then be anything. */
export type Part = Readonly<Record<string, unknown>> | string

/** The base64url form of a part. */
export function encodePart(part: Part): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
}

/** A compact token of any header and payload, signed as `signature` says; it need not be a sound one. */
export function compactToken(header: Part, payload: Part, signature: (input: string) => Uint8Array): string {
  const input = `${encodePart(header)}.${encodePart(payload)}`
  return `${input}.${Buffer.from(signature(input)).toString('base64url')}`
}

/** A token that the key truly signed; `header` adds to or replaces what a sound header has. */
export function signedBy(
  key: SigningKey,
  payload: Part,
  header: Readonly<Record<string, unknown>> = {},
): string {
  return compactToken({ alg: key.algorithm, kid: key.kid, typ: 'JWT', ...header }, payload, key.sign)
}
