import { stepsOf } from '#engine/json-pointer.js'
import { validationFailed } from '#libs/core/domain-error.js'

/** The steps of a JSON Pointer; empty for the whole document. */
export type JsonPointer = readonly string[]

/**
 * Parses a JSON Pointer (RFC 6901).
 * @throws DomainError `validation_failed` if it is malformed.
 */
export function parseJsonPointer(text: string): JsonPointer {
  const steps = stepsOf(text)
  if (steps !== null) return steps
  const detail =
    'pointer must be a JSON Pointer (RFC 6901), such as /items/0/name; write ~ as ~0 and / as ~1.'
  throw validationFailed([{ pointer: 'pointer', code: 'invalid_pointer', detail }])
}
