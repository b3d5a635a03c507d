const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const checksumLength = 6

/** CRC-32 (ISO 3309) of a text of ASCII. */
export function crc32(text: string): number {
  let crc = 0xffff_ffff
  for (let at = 0; at < text.length; at += 1) {
    crc ^= text.charCodeAt(at)
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ ((crc & 1) * 0xedb8_8320)
  }
  return ~crc >>> 0
}

/** Whether a text ends with the CRC-32 of what comes before, as six digits of base62: GitHub's and npm's format. */
export function endsWithChecksum(text: string): boolean {
  const end = text.length - checksumLength
  let rest = crc32(text.slice(0, end))
  let digits = ''
  for (let at = 0; at < checksumLength; at += 1) {
    digits = `${base62[rest % 62]}${digits}`
    rest = Math.floor(rest / 62)
  }
  return text.slice(end) === digits
}
