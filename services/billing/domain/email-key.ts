/**
 * What an e-mail address is compared by: itself with A to Z in lower case, and nothing more, since wider rules take
 * different people's addresses for one (U+212A becomes `k`). `null` for one that its issuer has not verified, which
 * is never compared.
 */
export function emailKey(email: string | null, verified: boolean): string | null {
  if (email === null || !verified || email === '') return null
  return email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
