import { type Snipkeep, SnipkeepError, sharePath, snippetPath } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import type { DocumentSource } from '../../../document/document-reader.js'
import { isMissing } from '../../kit/describe-problem.js'
import { getShareTitle } from '../shares/share-title.js'
import { mayBeShare, parseReference } from './side-reference.js'

/** One side of a comparison that has been found. */
export interface FoundSide {
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
