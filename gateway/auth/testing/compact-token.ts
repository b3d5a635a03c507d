import type { SigningKey } from './signing-key.js'

/** A header or payload: an object, or any raw text. */
export type Part = Readonly<Record<string, unknown>> | string

/** Encodes a part as base64url. */
export function encodePart(part: Part): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
}

/** A compact token of any header, payload and signature; it need not be valid. */
export function compactToken(header: Part, payload: Part, signature: (input: string) => Uint8Array): string {
  const input = `${encodePart(header)}.${encodePart(payload)}`
  return `${input}.${Buffer.from(signature(input)).toString('base64url')}`
}

/** A token signed with the key; `header` adds or replaces members of a valid header. */
export function signedBy(
  key: SigningKey,
  payload: Part,
  header: Readonly<Record<string, unknown>> = {},
): string {
  return compactToken({ alg: key.algorithm, kid: key.kid, typ: 'JWT', ...header }, payload, key.sign)
}
