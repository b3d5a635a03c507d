/**
 * The key by which e-mail addresses are compared: the address with A to Z in lower case, and nothing more,
 * since wider rules merge different people's addresses (U+212A becomes `k`). `null` for an unverified one,
 * which is never compared.
 */
export function emailKey(email: string | null, verified: boolean): string | null {
  if (email === null || !verified || email === '') return null
  return email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
