/** Decodes base64 or base64url without white space; `null` if it is invalid. */
export function base64Bytes(text: string): Uint8Array | null {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = new Uint8Array(binary.length)
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at)
    return bytes
  } catch {
    return null
  }
}
