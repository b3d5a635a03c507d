import {
  type CompactJWSHeaderParameters,
  type CompactVerifyGetKey,
  type CryptoKey,
  compactVerify,
  type JWK,
  type KeyObject,
} from 'jose'

/** The only algorithms: none is symmetric. */
export const algorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519']

/** Members of a header that could point to a key, or change how the token is read. */
const refusedMembers = ['crit', 'b64', 'jwk', 'jku', 'x5u', 'x5c', 'zip', 'enc']

function canonical(part: string): boolean {
  return part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part
}

/** Whether a header is one of those that identity tokens may have. */
export function headerHolds(header: Readonly<Record<string, unknown>>): boolean {
  const { alg, kid, typ } = header
  return (
    typeof alg === 'string' &&
    algorithms.includes(alg) &&
    typeof kid === 'string' &&
    /^[\x20-\x7e]{1,255}$/.test(kid) &&
    (typ === undefined || (typeof typ === 'string' && typ.toUpperCase() === 'JWT')) &&
    refusedMembers.every((member) => !Object.hasOwn(header, member))
  )
}

/**
 * The payload of a compact JWS (RFC 7515) in canonical base64url, signed by the key with one of our algorithms.
 * @throws Error for any other token.
 */
export async function verifySignature(
  token: string,
  key: CryptoKey | KeyObject | JWK | Uint8Array | CompactVerifyGetKey,
): Promise<{ payload: Uint8Array; header: CompactJWSHeaderParameters }> {
  const parts = token.split('.')
  if (parts.length !== 3 || !parts.every(canonical)) throw new Error('not three parts of canonical base64url')
  const { payload, protectedHeader } =
    typeof key === 'function'
      ? await compactVerify(token, key, { algorithms })
      : await compactVerify(token, key, { algorithms })
  return { payload, header: protectedHeader }
}
