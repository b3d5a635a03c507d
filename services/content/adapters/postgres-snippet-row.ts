import { isUniqueViolation } from '#libs/postgres/errors.js'
import { IdTaken, ownerId, snippetId } from '../domain/ids.js'
import { nameTaken, type Snippet } from '../domain/snippet.js'
import { type DataColumns, digestOf, locationOfRow } from './postgres-rows.js'

/** A row of the table `snippet`. */
export interface SnippetRow extends DataColumns {
  readonly owner_id: string
  readonly id: string
  readonly name: string | null
  readonly tool: string
  readonly title: string
  readonly tags: string[]
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

/** The columns of a snippet without its data. */
export const snippetColumns = `snippet.owner_id, snippet.id, snippet.name, snippet.tool, snippet.title, snippet.tags, snippet.size_bytes,
  snippet.sha256, snippet.document_id, snippet.version, snippet.created_at, snippet.updated_at`

/** Who made the current version, unless a release that does not record it did. */
export const principalColumn =
  'CASE WHEN snippet.principal_version = snippet.version THEN snippet.principal END'

/** `etagOf` in SQL. */
export const etagColumn = `left(encode(snippet.sha256, 'hex'), 32) || '.' || snippet.version || '.' ||
  (date_part('epoch', snippet.updated_at) * 1000)::bigint`

/** The snippet in a row. */
export function restoreSnippet(row: SnippetRow): Snippet {
  return {
    id: snippetId(row.id),
    ownerId: ownerId(row.owner_id),
    name: row.name,
    tool: row.tool,
    title: row.title,
    tags: row.tags,
    digest: digestOf(row),
    location: locationOfRow(row),
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/**
 * Translates a violation of the unique id or name of a new snippet.
 * @throws IdTaken, DomainError `name_taken`, else the error itself.
 */
export function refuseTaken(error: unknown, name: string | null): never {
  if (isUniqueViolation(error, 'snippet_pkey')) throw new IdTaken()
  return refuseName(error, name)
}

/**
 * Translates a violation of the unique name.
 * @throws DomainError `name_taken`, else the error itself.
 */
export function refuseName(error: unknown, name: string | null | undefined): never {
  throw isUniqueViolation(error, 'snippet_name') && name != null ? nameTaken(name) : error
}
