import { type Pool, query } from '#libs/postgres/pool.js'
import type { Snippet } from '../domain/snippet.js'
import type { Page, SnippetFilter, WithData } from '../ports.js'
import { readDataOf } from './postgres-rows.js'
import { restoreSnippet, type SnippetRow, snippetColumns } from './postgres-snippet-row.js'

interface ListedRow extends SnippetRow {
  /** False for the row that only shows that there is more. */
  readonly kept: boolean
}

/** The statement for one combination of filters; each has its own name, and so its own plan. */
function pageStatement(filter: SnippetFilter) {
  const values: unknown[] = [filter.ownerId, filter.itemsMax + 1]
  const parameter = (value: unknown): string => `$${values.push(value)}`
  const conditions = ['snippet.owner_id = $1']
  const name = ['snippet-list']
  const filterBy = (part: string, condition: () => string): void => {
    name.push(part)
    conditions.push(condition())
  }
  if (filter.tool !== null) filterBy('tool', () => `snippet.tool = ${parameter(filter.tool)}`)
  if (filter.tags.length > 0) filterBy('tags', () => `snippet.tags @> ${parameter(filter.tags)}::text[]`)
  if (filter.words.length > 0) filterBy('words', () => `snippet.words @> ${parameter(filter.words)}::text[]`)
  const { after } = filter
  if (after !== null) {
    filterBy(
      'after',
      () =>
        `(snippet.created_at, snippet.id) < (${parameter(after.createdAt)}::timestamptz, ${parameter(after.id)}::text)`,
    )
  }
  const page = `
    SELECT ${snippetColumns}, snippet.data FROM snippet WHERE ${conditions.join(' AND ')}
    ORDER BY snippet.created_at DESC, snippet.id DESC LIMIT $2`
  if (!filter.includeData) {
    return {
      name: [...name, 'light'].join('-'),
      text: page.replace(', snippet.data FROM', ', true AS kept FROM'),
      values,
    }
  }
  // Only what is kept is decompressed; the rest of the page stays in its place.
  const text = `
    WITH page AS MATERIALIZED (${page}),
    measured AS (
      SELECT page.*, row_number() OVER newest = 1 OR (
          sum(page.size_bytes) OVER newest - page.size_bytes <= ${parameter(filter.dataBytesMax)}::bigint AND
          sum(CASE WHEN page.document_id IS NULL THEN page.size_bytes ELSE 0 END) OVER newest <= ${parameter(filter.inlineBytesMax)}::bigint
        ) AS kept
      FROM page WINDOW newest AS (ORDER BY page.created_at DESC, page.id DESC))
    SELECT measured.owner_id, measured.id, measured.tool, measured.title, measured.tags, measured.size_bytes, measured.sha256,
      measured.document_id, measured.version, measured.created_at, measured.updated_at, measured.kept,
      CASE WHEN measured.kept AND row_number() OVER newest < $2 THEN measured.data END AS data
    FROM measured WINDOW newest AS (ORDER BY measured.created_at DESC, measured.id DESC)
    ORDER BY measured.created_at DESC, measured.id DESC`
  return { name: name.join('-'), text, values }
}

/** A page of an owner's snippets. */
export async function listSnippets(pool: Pool, filter: SnippetFilter): Promise<Page<WithData<Snippet>>> {
  const { rows } = await query<ListedRow>(pool, pageStatement(filter))
  const kept = rows.slice(0, filter.itemsMax).filter((row) => row.kept)
  const items = kept.map((row) => ({
    record: restoreSnippet(row),
    data: readDataOf(row, filter.includeData),
  }))
  const last = items.at(-1)?.record
  const more = last !== undefined && items.length < rows.length
  return { items, next: more ? { createdAt: last.createdAt, id: last.id } : null }
}
