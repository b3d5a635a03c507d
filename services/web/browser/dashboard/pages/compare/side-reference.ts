/** What an address or a field names: a snippet, one of its revisions, or a share. */
export type SideReference =
  | { readonly kind: 'snippet'; readonly name: string; readonly revision: number | null }
  | { readonly kind: 'share'; readonly id: string }

const idPattern = /^[0-9A-Za-z]{22}$/

/**
 * Reads what someone names: a snippet by its id or `@name`, one of its revisions as `id@3` or `@name@3` (`~3` in older
 * links), or the link of a share. `null` for anything else.
 */
export function parseReference(typed: string): SideReference | null {
  const wanted = typed.trim()
  const [, shareId] = /\/s\/([0-9A-Za-z]{22})(?:[/?#].*)?$/.exec(wanted) ?? []
  if (shareId !== undefined) return { kind: 'share', id: shareId }
  const [, plain = '', revision] = /^(.*?)(?:[@~]([1-9]\d{0,8}))?$/.exec(wanted) ?? []
  const isName = /^@?[a-z0-9][a-z0-9._-]*$/.test(plain)
  if (!idPattern.test(plain) && !isName) return null
  const name = idPattern.test(plain) || plain.startsWith('@') ? plain : `@${plain}`
  return { kind: 'snippet', name, revision: revision === undefined ? null : Number(revision) }
}

/** Whether a reference is the id of something, which may be a share as well as a snippet. */
export function mayBeShare({ kind, ...reference }: SideReference): boolean {
  return (
    kind === 'snippet' && 'name' in reference && idPattern.test(reference.name) && reference.revision === null
  )
}
