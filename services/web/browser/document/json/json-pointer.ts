/** The reference tokens of a JSON Pointer (RFC 6901), unescaped; `null` for a text that is none. */
export function readPointer(pointer: string): readonly string[] | null {
  if (!/^(\/([^~]|~[01])*)?$/s.test(pointer)) return null
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The pointer to a child of what a pointer leads to. */
export function childPointer(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}
