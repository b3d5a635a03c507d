import { type Compared, shareIdOf } from './compare-file.js'

/** What has become of the file. */
interface Kept {
  readonly snippet: { readonly id: string; readonly name: string } | null
  readonly share: { readonly id: string; readonly url: string } | null
}

/**
 * The address of the page that compares a file with what it was compared with: public if both are shares, else for the
 * owner of the snippets. `null` where there is nothing to compare with, or this step has replaced it.
 */
export function diffUrlOf(
  server: string,
  { reference, found, isTooLarge }: Compared,
  { snippet, share }: Kept,
): string | null {
  if (found === null && !isTooLarge) return null
  const shared = shareIdOf(reference)
  if (shared !== null && share !== null) return new URL(`/s/${shared}/compare/${share.id}`, share.url).href
  const a = shared ?? reference
  const b = snippet === null ? share?.id : `@${snippet.name}`
  if (b === undefined || a === b || a === snippet?.id) return null
  return `${server}/compare?${new URLSearchParams({ a, b })}`
}
