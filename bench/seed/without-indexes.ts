import type pg from 'pg'

interface Statements {
  readonly drop: string
  readonly make: string
}

const constraints = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', pg_constraint.conrelid::regclass, pg_constraint.conname) AS drop,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', pg_constraint.conrelid::regclass, pg_constraint.conname,
      pg_get_constraintdef(pg_constraint.oid)) AS make
  FROM pg_constraint WHERE pg_constraint.conrelid = $1::regclass AND pg_constraint.contype IN ('p', 'u')`

const indexes = `
  SELECT format('DROP INDEX %s', pg_index.indexrelid::regclass) AS drop, pg_get_indexdef(pg_index.indexrelid) AS make
  FROM pg_index WHERE pg_index.indrelid = $1::regclass AND NOT EXISTS (
    SELECT FROM pg_constraint WHERE pg_constraint.conindid = pg_index.indexrelid)`

/**
 * Drops a table's indexes, has it filled, and recreates the indexes from the catalogue's definitions: far
 * faster than maintaining them row by row.
 */
export async function withoutIndexes(
  client: pg.Client,
  table: string,
  fill: () => Promise<void>,
  said: (sentence: string) => void,
): Promise<void> {
  const statements: Statements[] = []
  for (const text of [indexes, constraints])
    statements.push(...(await client.query<Statements>(text, [table])).rows)
  for (const { drop } of statements) await client.query(drop)
  await fill()
  for (const { make } of statements) {
    const startedAt = performance.now()
    await client.query(make)
    said(`${make.slice(0, 90)}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
  }
}
