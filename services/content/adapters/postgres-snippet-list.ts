import { listFilter } from '#libs/postgres/list-filter.js'
import { firstRow, type Pool, query } from '#libs/postgres/pool.js'
import { etagsOf } from '../domain/snippet.js'
import type { SnippetFilter } from '../domain/snippet-reads.js'
import { pageInlineBytesMax } from '../domain/stored-data.js'
import type { SnippetPage } from '../ports.js'
import { readDataOf } from './postgres-rows.js'
import { etagColumn, restoreSnippet, type SnippetRow, snippetColumns } from './postgres-snippet-row.js'

interface ListedRow extends SnippetRow {
  /** False if the page is full before it; absent if the statement does not decide that. */
  readonly kept?: boolean
}

/** How many of the newest rows are scanned before the index of terms is used. */
const walkMax = 2_000

/**
 * Up to this page size, all data is read, even if some does not fit on the page: measuring it in the
 * statement costs the database as much as reading it.
 */
const measuredHereMax = 20

const newestFirst = 'ORDER BY snippet.created_at DESC, snippet.id DESC'

/**
 * A page of rows with certain terms. The planner assumes that terms are evenly distributed, and would scan
 * from the newest through millions of rows to a tag that only old ones have. So the scan ends after some
 * thousand rows, which finds terms that are frequent among the newest; if that is not enough, all matches are
 * read from the index of terms and sorted. OFFSET 0 hides the order and the limit from the planner, so that
 * it neither scans again nor reads the whole table for the few matches.
 */
function searchedPage(columns: string, place: string, terms: string): string {
  const walk = `SELECT snippet.id, snippet.created_at, snippet.tags, snippet.words FROM snippet WHERE ${place}
    ${newestFirst} LIMIT ${walkMax}`
  return `
    WITH near AS MATERIALIZED (
      SELECT snippet.id, snippet.created_at FROM (${walk}) AS snippet WHERE ${terms} ${newestFirst} LIMIT $2),
    far AS (
      SELECT snippet.id, snippet.created_at FROM (
        SELECT snippet.id, snippet.created_at FROM snippet
        WHERE (SELECT count(*) FROM near) < $2 AND (SELECT count(*) FROM (${walk}) AS walked) = ${walkMax}
          AND ${place} AND ${terms} OFFSET 0) AS snippet
      ${newestFirst} LIMIT $2),
    found AS (SELECT near.id FROM near UNION SELECT far.id FROM far)
    SELECT ${columns} FROM found CROSS JOIN LATERAL (
      SELECT snippet.* FROM snippet WHERE snippet.owner_id = $1 AND snippet.id = found.id OFFSET 0) AS snippet
    ${newestFirst} LIMIT $2`
}

/** A filtered page: its values, its statement for given columns, and its prepared name. */
function narrow(filter: SnippetFilter) {
  const values: unknown[] = [filter.ownerId, filter.itemsMax + 1]
  const places = listFilter('snippet', values, 'snippet.owner_id = $1')
  const terms = listFilter('snippet', values)
  const { tags, words } = filter
  places.add('tool', filter.tool, (tool) => `snippet.tool = ${tool}`)
  terms.add('tags', tags.length > 0 ? tags : null, (some) => `snippet.tags @> ${some}::text[]`)
  terms.add('words', words.length > 0 ? words : null, (some) => `snippet.words @> ${some}::text[]`)
  places.after(filter.after)
  const isSearch = terms.sql() !== ''
  const pageOf = (columns: string): string =>
    isSearch
      ? searchedPage(columns, places.sql(), terms.sql())
      : `SELECT ${columns} FROM snippet WHERE ${places.sql()} ${newestFirst} LIMIT $2`
  /**
   * Each combination of filters has its own name, and so its own plan. A search has no name and is planned
   * for its values each time: one plan for all owners and terms would read every row of an owner with
   * millions.
   */
  const prepared = (...more: readonly string[]) =>
    isSearch ? {} : { name: [places.name('snippet-list'), ...more].join('-') }
  return { values, parameter: places.parameter, pageOf, prepared }
}

/** The statement that reads a page. */
function pageStatement(filter: SnippetFilter) {
  const { values, parameter, pageOf, prepared } = narrow(filter)
  const simple = !filter.includeData || filter.itemsMax <= measuredHereMax
  if (simple) {
    const columns = filter.includeData ? `${snippetColumns}, snippet.data` : snippetColumns
    return { ...prepared(filter.includeData ? 'short' : 'light'), text: pageOf(columns), values }
  }
  // Only data on the page is decompressed.
  const text = `
    WITH page AS MATERIALIZED (${pageOf(`${snippetColumns}, snippet.data`)}),
    measured AS (
      SELECT page.*, row_number() OVER newest = 1 OR (
          sum(page.size_bytes) OVER newest - page.size_bytes <= ${parameter(filter.dataBytesMax)}::bigint AND
          sum(CASE WHEN page.document_id IS NULL THEN page.size_bytes ELSE 0 END) OVER newest <= ${pageInlineBytesMax}
        ) AS kept
      FROM page WINDOW newest AS (ORDER BY page.created_at DESC, page.id DESC))
    SELECT measured.owner_id, measured.id, measured.name, measured.tool, measured.title, measured.tags, measured.size_bytes, measured.sha256,
      measured.document_id, measured.version, measured.created_at, measured.updated_at, measured.kept,
      CASE WHEN measured.kept AND row_number() OVER newest < $2 THEN measured.data END AS data
    FROM measured WINDOW newest AS (ORDER BY measured.created_at DESC, measured.id DESC)
    ORDER BY measured.created_at DESC, measured.id DESC`
  return { ...prepared(), text, values }
}

/** The statement for `etagsOf` a page. */
function etagsStatement(filter: SnippetFilter) {
  const { values, pageOf, prepared } = narrow(filter)
  const text = `
    SELECT string_agg(page.id || '.' || page.etag, ' ' ORDER BY page.created_at DESC, page.id DESC) AS etags
    FROM (${pageOf(`snippet.id, snippet.created_at, ${etagColumn} AS etag`)}) AS page`
  return { ...prepared('etags'), text, values }
}

/** How many of these rows fit on the page; the first always does. */
function fitting(rows: readonly ListedRow[], { includeData, dataBytesMax }: SnippetFilter): number {
  if (!includeData) return rows.length
  let dataBytes = 0
  let inlineBytes = 0
  for (const [index, { size_bytes: size, document_id: document, kept }] of rows.entries()) {
    if (document === null) inlineBytes += Number(size)
    const fits = kept ?? (dataBytes <= dataBytesMax && inlineBytes <= pageInlineBytesMax)
    if (index > 0 && !fits) return index
    dataBytes += Number(size)
  }
  return rows.length
}

/** A page of an owner's snippets. */
export async function listSnippets(pool: Pool, filter: SnippetFilter): Promise<SnippetPage> {
  const { rows } = await query<ListedRow>(pool, pageStatement(filter))
  const found = rows.map((row) => ({
    record: restoreSnippet(row),
    data: readDataOf(row, filter.includeData),
  }))
  const items = found.slice(0, Math.min(filter.itemsMax, fitting(rows, filter)))
  const last = items.at(-1)?.record
  const more = last !== undefined && items.length < rows.length
  const next = more ? { createdAt: last.createdAt, id: last.id } : null
  return { items, next, etags: etagsOf(found.map(({ record }) => record)) }
}

/** The ids and ETags of a page of an owner's snippets. */
export async function listEtags(pool: Pool, filter: SnippetFilter): Promise<string> {
  return (await firstRow<{ etags: string | null }>(pool, etagsStatement(filter)))?.etags ?? ''
}
