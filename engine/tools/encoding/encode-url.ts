const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The characters that are not encoded: RFC 3986, sections 2.3 and 2.2, and the URL standard's form encoding. */
const unencoded = {
  component: `${letters}-._~`,
  address: `${letters}-._~:/?#[]@!$&'()*+,;=`,
  form: `${letters}*-._`,
} as const

const hexDigits = new TextEncoder().encode('0123456789ABCDEF')
const space = 0x20
const plus = 0x2b
const percent = 0x25

/** Encodes bytes for URLs while they arrive. */
export async function* encodeUrl(
  input: AsyncIterable<Uint8Array>,
  options: { readonly style: keyof typeof unencoded },
): AsyncGenerator<Uint8Array> {
  const isKept = new Uint8Array(256)
  for (const byte of new TextEncoder().encode(unencoded[options.style])) isKept[byte] = 1
  for await (const chunk of input) {
    const out = new Uint8Array(chunk.length * 3)
    let to = 0
    for (const byte of chunk) {
      if (isKept[byte] === 1) out[to++] = byte
      else if (byte === space && options.style === 'form') out[to++] = plus
      else {
        out[to++] = percent
        out[to++] = hexDigits[byte >> 4] as number
        out[to++] = hexDigits[byte & 15] as number
      }
    }
    if (to > 0) yield out.slice(0, to)
  }
}
