import { createHash } from 'node:crypto'
import { DomainError } from '../core/domain-error.js'

const checksumBytes = 4

function checksum(payload: Buffer): Buffer {
  return createHash('sha256').update(payload).digest().subarray(0, checksumBytes)
}

/**
 * An opaque cursor: the position in a list after the row with these key values. It is not secret and grants nothing.
 */
export function encodeCursor(keys: readonly string[]): string {
  const payload = Buffer.from(JSON.stringify(keys), 'utf8')
  return Buffer.concat([checksum(payload), payload]).toString('base64url')
}

/** 400 `invalid_cursor`. */
export function invalidCursor(): DomainError {
  return new DomainError(
    'invalid',
    'invalid_cursor',
    'Invalid cursor. Pass next_cursor unchanged, or omit cursor to start over.',
  )
}

/**
 * The key values of a cursor from `encodeCursor`.
 * @throws DomainError `invalid_cursor` for anything else.
 */
export function decodeCursor(cursor: string, length: number): readonly string[] {
  const bytes = Buffer.from(cursor, 'base64url')
  const payload = bytes.subarray(checksumBytes)
  const canonical = bytes.toString('base64url') === cursor
  if (!canonical || payload.length === 0 || !checksum(payload).equals(bytes.subarray(0, checksumBytes))) {
    throw invalidCursor()
  }
  let keys: unknown
  try {
    keys = JSON.parse(payload.toString('utf8'))
  } catch {
    throw invalidCursor()
  }
  if (!Array.isArray(keys) || keys.length !== length || !keys.every((key) => typeof key === 'string'))
    throw invalidCursor()
  return keys as string[]
}
