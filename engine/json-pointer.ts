/**
 * The steps of a JSON Pointer (RFC 6901), unescaped; none for the whole document, and `null` for an invalid pointer.
 */
export function stepsOf(pointer: string): readonly string[] | null {
  if (!/^(\/([^~]|~[01])*)?$/s.test(pointer)) return null
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The JSON Pointer of these steps. */
export function pointerTo(steps: readonly PropertyKey[]): string {
  return steps.map((step) => `/${String(step).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('')
}
