import { type Snipkeep, SnipkeepError, sharePath, snippetPath } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import type { DocumentSource } from '../../../document/document-reader.js'
import { isMissing } from '../../kit/describe-problem.js'
import { getShareTitle } from '../shares/delete-share-dialog.js'

/** What an address or a field names: a snippet, one of its revisions, or a share. */
type SideReference =
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

/** One side of a comparison that has been found. */
interface FoundSide {
  readonly title: string
  readonly source: DocumentSource
}

async function foundSnippet(
  api: Snipkeep,
  name: string,
  revision: number | null,
  signal: AbortSignal,
): Promise<FoundSide> {
  const headers = () => api.headers()
  if (revision !== null) {
    const { title, size_bytes: sizeBytes } = await api.snippets.revision(name, revision, {
      includeData: false,
      signal,
    })
    return {
      title: text('compare.version', { title, number: String(revision) }),
      source: { rawPath: `${snippetPath(name, revision)}/raw`, headers, sizeBytes },
    }
  }
  const { id, title, size_bytes: sizeBytes } = await api.snippets.get(name, { includeData: false, signal })
  return { title, source: { rawPath: `${snippetPath(id)}/raw`, headers, sizeBytes } }
}

async function foundShare(api: Snipkeep, id: string, signal: AbortSignal): Promise<FoundSide> {
  const title = await getShareTitle(api, id, signal)
  const rawPath = `${sharePath(id)}/raw`
  return { title, source: { rawPath, headers: async () => ({}), sizeBytes: 0 } }
}

function missing(typed: string): SnipkeepError {
  return new SnipkeepError(text('compare.missing', { name: typed }))
}

/**
 * Finds what someone names, with its title.
 * @throws SnipkeepError when there is no such thing, or it cannot be had.
 */
export async function findSide(api: Snipkeep, typed: string, signal: AbortSignal): Promise<FoundSide> {
  const reference = parseReference(typed)
  if (reference === null) throw missing(typed)
  try {
    if (reference.kind === 'share') return await foundShare(api, reference.id, signal)
    return await foundSnippet(api, reference.name, reference.revision, signal)
  } catch (error) {
    if (!isMissing(error)) throw error
    if (reference.kind === 'share' || !mayBeShare(reference)) throw missing(typed)
    return foundShare(api, reference.name, signal).catch((other: unknown) => {
      throw isMissing(other) ? missing(typed) : other
    })
  }
}
