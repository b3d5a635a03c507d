import type { Pool } from '#libs/postgres/pool.js'

const inconsistencies = `
  WITH named AS (
    SELECT owner_id, id AS of, document_id, size_bytes, data IS NOT NULL AS is_inline FROM snippet
    UNION ALL SELECT owner_id, snippet_id, document_id, size_bytes, data IS NOT NULL FROM snippet_revision
    UNION ALL SELECT owner_id, id, document_id, size_bytes, data IS NOT NULL FROM snippet_check
    UNION ALL SELECT owner_id, id, document_id, size_bytes, data IS NOT NULL FROM share),
  held AS (
    SELECT owner_id, size_bytes FROM named WHERE is_inline
    UNION ALL SELECT owner_id, octet_length(breaks) FROM snippet_check
    UNION ALL SELECT owner_id, size_bytes FROM document WHERE state IN ('stored', 'condemned'))
  SELECT 'counted ' || owner.stored_bytes || ' bytes of ' || held.bytes AS what FROM owner CROSS JOIN LATERAL (
    SELECT coalesce(sum(held.size_bytes), 0) AS bytes FROM held WHERE held.owner_id = owner.owner_id) AS held
  WHERE owner.stored_bytes <> held.bytes
  UNION ALL
  SELECT 'counted ' || owner.snippet_count || ' snippets of ' || found.n FROM owner CROSS JOIN LATERAL (
    SELECT count(*) AS n FROM snippet WHERE snippet.owner_id = owner.owner_id) AS found
  WHERE owner.snippet_count <> found.n
  UNION ALL
  SELECT 'document ' || document.id || ' of ' || users.n || ' records is ' ||
    CASE WHEN document.unclaimed_since IS NULL THEN 'claimed' ELSE 'released' END
  FROM document CROSS JOIN LATERAL (
    SELECT count(DISTINCT named.of) AS n FROM named WHERE named.document_id = document.id) AS users
  WHERE users.n <> CASE WHEN document.unclaimed_since IS NULL THEN 1 ELSE 0 END
  UNION ALL
  SELECT 'document ' || named.document_id || ' is gone' FROM named
  WHERE named.document_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM document WHERE document.id = named.document_id AND document.state = 'stored')
  UNION ALL
  SELECT 'check ' || snippet_check.id || ' without its snippet' FROM snippet_check
  WHERE snippet_check.subject NOT LIKE '@%' AND NOT EXISTS (
    SELECT FROM snippet WHERE snippet.owner_id = snippet_check.owner_id AND snippet.id = snippet_check.subject)`

/** What the counters and claims of all rows contradict; nothing, whatever has happened. */
export async function findInconsistencies(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ what: string }>(inconsistencies)
  return rows.map(({ what }) => what)
}
