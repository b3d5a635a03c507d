const lineFeed = 0x0a
const apostrophe = 0x27
const slash = 0x2f
const star = 0x2a

const isWordByte: Readonly<Uint8Array> = Uint8Array.from({ length: 256 }, (_none, byte) =>
  /[A-Za-z0-9_.+$-]/.test(String.fromCharCode(byte)) || byte >= 0x80 ? 1 : 0,
)

/** Whether a word that is not JSON, or text in single quotes, can begin with this byte. */
export function beginsWord(byte: number | undefined): boolean {
  return byte !== undefined && (byte === apostrophe || isWordByte[byte] === 1)
}

/** The end of the word that contains `at`. */
export function wordEnd(bytes: Uint8Array, at: number): number {
  let end = at
  while (end < bytes.length && isWordByte[bytes[end] as number] === 1) end += 1
  return end
}

/** Where a word ends, or text in single quotes, which ends with its line at the latest. */
export function quotedOrWordEnd(bytes: Uint8Array, start: number): number {
  if (bytes[start] !== apostrophe) return wordEnd(bytes, start + 1)
  let end = start + 1
  while (end < bytes.length && bytes[end] !== apostrophe && bytes[end] !== lineFeed) end += 1
  return bytes[end] === apostrophe ? end + 1 : end
}

/** Whether what begins with the slash at `start` and ends at `end` is a comment that is closed. */
export function isWholeComment(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start + 1] === slash) return true
  return end > start + 3 && bytes[end - 1] === slash && bytes[end - 2] === star
}

/**
 * The end of the comment that begins with the slash at `start`; after the slash if there is no comment.
 * @param from where to search on, if the comment does not end before it.
 */
export function commentEnd(bytes: Uint8Array, start: number, from = start): number {
  if (bytes[start + 1] === slash) {
    const end = bytes.indexOf(lineFeed, from)
    return end < 0 ? bytes.length : end
  }
  if (bytes[start + 1] !== star) return start + 1
  for (let at = Math.max(start + 3, from); at < bytes.length; at += 1)
    if (bytes[at] === slash && bytes[at - 1] === star) return at + 1
  return bytes.length
}
