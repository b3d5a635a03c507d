import { validationFailed } from '#libs/core/domain-error.js'

/** The `ETag` header of an opaque tag: strong, as RFC 9110 §8.8.3 writes it. */
export function quoteTag(etag: string): string {
  return `"${etag}"`
}

const listMember = /^\s*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*$/

function members(header: string): { weak: boolean; tag: string }[] | null {
  const parsed = header.split(',').map((member) => listMember.exec(member))
  if (parsed.some((match) => match === null)) return null
  return parsed.flatMap((match) =>
    match === null ? [] : [{ weak: match[1] !== undefined, tag: match[2] ?? '' }],
  )
}

/** Whether `If-None-Match` holds this tag, by weak comparison (RFC 9110 §13.1.2). A malformed header matches nothing. */
export function noneMatchHolds(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return members(header)?.some(({ tag }) => tag === etag) ?? false
}

/**
 * The tags of an `If-Match` header, of which one must be current (RFC 9110 §13.1.1); `*` for any; none when the header
 * is absent. Weak tags never match and become a tag that nothing has.
 * @throws DomainError `validation_failed` for a malformed header.
 */
export function readIfMatch(header: string | undefined): string[] {
  if (header === undefined) return []
  if (header.trim() === '*') return ['*']
  const found = members(header)
  if (found === null) {
    throw validationFailed([
      {
        pointer: 'If-Match',
        code: 'invalid_format',
        detail: 'If-Match must be * or a list of ETags in double quotes.',
      },
    ])
  }
  return found.map(({ weak, tag }) => (weak ? `weak:${tag}` : tag))
}
