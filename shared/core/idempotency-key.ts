import { DomainError, invalidField } from '#libs/core/domain-error.js'

/** How long a key and its response are stored, in milliseconds. */
export const idempotencyKeyLifeMs = 86_400_000

/** Whether a text is a valid key: 1 to 255 printable ASCII characters. */
export function isIdempotencyKey(text: string): boolean {
  return /^[\x20-\x7e]{1,255}$/.test(text)
}

/**
 * Checks a caller's key.
 * @throws DomainError `validation_failed`.
 */
export function checkIdempotencyKey(key: string): void {
  if (isIdempotencyKey(key)) return
  const detail = 'Idempotency-Key must be 1 to 255 printable ASCII characters.'
  throw invalidField('Idempotency-Key', 'invalid_format', detail)
}

/**
 * The key in a message; `null` if it is empty.
 * @throws DomainError `validation_failed`.
 */
export function givenIdempotencyKey(text: string): string | null {
  if (text === '') return null
  checkIdempotencyKey(text)
  return text
}

/** 409: the key belongs to a request with another body. */
export function idempotencyKeyReused(): DomainError {
  const message = 'This Idempotency-Key was already used with a different body. Use a new key.'
  return new DomainError('conflict', 'idempotency_key_reused', message)
}
