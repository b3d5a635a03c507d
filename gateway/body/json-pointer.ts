import { validationFailed } from '#libs/core/domain-error.js'

/** The reference tokens of a JSON Pointer, unescaped; none for the whole document. */
export type JsonPointer = readonly string[]

/**
 * Parses a JSON Pointer as RFC 6901 spells it.
 * @throws DomainError `validation_failed` when it is none.
 */
export function parseJsonPointer(text: string): JsonPointer {
  if (!/^(\/([^~]|~[01])*)?$/s.test(text)) {
    const detail =
      'pointer must be a JSON Pointer (RFC 6901): empty, or a / before every step, with ~ only as ~0 or ~1.'
    throw validationFailed([{ pointer: 'pointer', code: 'invalid_pointer', detail }])
  }
  return text
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}
