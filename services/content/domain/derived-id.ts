const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** An id that follows from a digest, in the format of random ids. */
export function derivedId(sha256: string): string {
  let rest = BigInt(`0x${sha256}`)
  let id = ''
  while (id.length < 22) {
    id += digits.charAt(Number(rest % 62n))
    rest /= 62n
  }
  return id
}
