import { text } from '../../../../texts/text.js'
import type { DocumentSource } from '../../../document/document-reader.js'
import type { Api } from '../../api/api.js'
import { ApiProblem } from '../../api/api-problem.js'
import { getRevision, revisionRawPath } from '../../api/revisions.js'
import { getShareTitle } from '../../api/shares.js'
import { getSnippet, snippetRawPath } from '../../api/snippets.js'
import { mayBeShare, parseReference } from './side-reference.js'

/** One side of a comparison that has been found. */
export interface FoundSide {
  readonly title: string
  readonly source: DocumentSource
}

async function foundSnippet(
  api: Api,
  name: string,
  revision: number | null,
  signal: AbortSignal,
): Promise<FoundSide> {
  const headers = api.credentials
  if (revision !== null) {
    const { title, size_bytes: sizeBytes } = await getRevision(api, name, String(revision), signal)
    return {
      title: text('compare.version', { title, number: String(revision) }),
      source: { rawPath: revisionRawPath(name, revision), headers, sizeBytes },
    }
  }
  const { id, title, size_bytes: sizeBytes } = (await getSnippet(api, name, signal)).body
  return { title, source: { rawPath: snippetRawPath(id), headers, sizeBytes } }
}

async function foundShare(api: Api, id: string, signal: AbortSignal): Promise<FoundSide> {
  const title = await getShareTitle(api, id, signal)
  const rawPath = `/api/shares/${id}/raw`
  return { title, source: { rawPath, headers: async () => ({}), sizeBytes: 0 } }
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 404 || error.code === 'not_owner')
}

function missing(typed: string): ApiProblem {
  return new ApiProblem({ status: 404, code: 'not_found', detail: text('compare.missing', { name: typed }) })
}

/**
 * Finds what someone names, with its title.
 * @throws ApiProblem when there is no such thing, or it cannot be had.
 */
export async function findSide(api: Api, typed: string, signal: AbortSignal): Promise<FoundSide> {
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
