import { validationFailed } from '#libs/core/domain-error.js'

/** The value of a strong `ETag` header (RFC 9110 §8.8.3). */
export function quoteTag(etag: string): string {
  return `"${etag}"`
}

interface EntityTag {
  readonly weak: boolean
  readonly tag: string
}

/** A list member up to the next comma. It may be empty (RFC 9110 §5.6.1.2), and a tag may contain commas. */
const listMember = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y

/** The tags of a list; `null` if it is malformed or empty. */
function readTags(header: string): readonly EntityTag[] | null {
  const tags: EntityTag[] = []
  for (let position = 0; position < header.length; position = listMember.lastIndex) {
    listMember.lastIndex = position
    const match = listMember.exec(header)
    if (match === null) return null
    const [, weak, tag] = match
    if (tag !== undefined) tags.push({ weak: weak !== undefined, tag })
  }
  return tags.length === 0 ? null : tags
}

/** Whether `If-None-Match` names this tag, by weak comparison (RFC 9110 §13.1.2). A malformed header names none. */
export function noneMatchHolds(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return readTags(header)?.some(({ tag }) => tag === etag) ?? false
}

/** Whether `If-Match` allows changing the version with this tag. */
export function ifMatchHolds(tags: readonly string[], etag: string): boolean {
  return tags.length === 0 || tags.includes('*') || tags.includes(etag)
}

/**
 * The tags of an `If-Match` header, one of which must be current (RFC 9110 §13.1.1); `*` for any; none if the header
 * is absent. Weak tags and the tag `"*"` never match: they keep their quotes, which none of our own tags contains.
 * @throws DomainError `validation_failed` for a malformed header.
 */
export function readIfMatch(header: string | undefined): string[] {
  if (header === undefined) return []
  if (header.trim() === '*') return ['*']
  const tags = readTags(header)
  if (tags === null) {
    throw validationFailed([
      {
        pointer: 'If-Match',
        code: 'invalid_format',
        detail: 'If-Match must be * or a comma-separated list of quoted ETags.',
      },
    ])
  }
  return tags.map(({ weak, tag }) => {
    if (weak) return `W/${quoteTag(tag)}`
    return tag === '*' ? quoteTag(tag) : tag
  })
}
