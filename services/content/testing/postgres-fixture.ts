import type { Pool, PoolOptions } from '#libs/postgres/pool.js'
import { createMigratedSchema } from '#libs/testing/migrated-schema.js'
import { postgresAuditOutbox } from '#shared/operator/audit-outbox.js'
import { nodeHashing, randomContentIds } from '../adapters/node-crypto.js'
import { postgresCheckStore } from '../adapters/postgres-check-store.js'
import { postgresContractStore } from '../adapters/postgres-contract-store.js'
import { postgresDocumentRegistry } from '../adapters/postgres-document-registry.js'
import { postgresDocumentStore } from '../adapters/postgres-document-store.js'
import { postgresEventOutbox } from '../adapters/postgres-event-outbox.js'
import { postgresIdempotencyStore } from '../adapters/postgres-idempotency-store.js'
import { postgresModerationStore } from '../adapters/postgres-moderation-store.js'
import { postgresOwnerErasure } from '../adapters/postgres-owner-erasure.js'
import { postgresPlanVersions, postgresStorageUsage } from '../adapters/postgres-owners.js'
import { postgresReportStore } from '../adapters/postgres-report-store.js'
import { postgresRevisionStore } from '../adapters/postgres-revision-store.js'
import { postgresShareGates } from '../adapters/postgres-share-gates.js'
import { postgresShareStore } from '../adapters/postgres-share-store.js'
import { postgresSnippetStore } from '../adapters/postgres-snippet-store.js'
import type { ListedDocumentStore } from '../document-ports.js'
import { migrations } from '../migrate.js'
import type { ContentFixture } from './content-fixture.js'
import { plainPasswords } from './plain-passwords.js'

/** Content on real Postgres, in its own schema. */
export interface PostgresFixture extends ContentFixture {
  readonly pool: Pool
  readonly listed: ListedDocumentStore
  /** Opens another pool in the same schema. */
  openPool(options: Partial<PoolOptions>): Pool
  /** Empties every table. */
  reset(): Promise<PostgresFixture>
  /** Runs these migrations again, as after a kill at their end. */
  migrateAgain(names: readonly string[]): Promise<void>
  close(): Promise<void>
}

const passTime = (ms: number): string => `
  UPDATE document SET unclaimed_since = unclaimed_since - interval '${ms} milliseconds';
  UPDATE share SET created_at = created_at - interval '${ms} milliseconds',
    expires_at = expires_at - interval '${ms} milliseconds',
    gate_first_viewed_at = gate_first_viewed_at - interval '${ms} milliseconds',
    gate_last_viewed_at = gate_last_viewed_at - interval '${ms} milliseconds',
    gate_open_until = gate_open_until - interval '${ms} milliseconds',
    gate_failures = ARRAY(SELECT at - interval '${ms} milliseconds' FROM unnest(gate_failures) AS at ORDER BY at);
  UPDATE share_grant SET expires_at = expires_at - interval '${ms} milliseconds';
  UPDATE snippet SET created_at = created_at - interval '${ms} milliseconds';
  UPDATE snippet_revision SET replaced_at = replaced_at - interval '${ms} milliseconds';
  UPDATE snippet_check SET created_at = created_at - interval '${ms} milliseconds';
  UPDATE idempotency_key SET created_at = created_at - interval '${ms} milliseconds',
    lease_until = lease_until - interval '${ms} milliseconds';
  UPDATE event_delivery SET due_at = due_at - interval '${ms} milliseconds';
  UPDATE audit_delivery SET due_at = due_at - interval '${ms} milliseconds';
  UPDATE share_view SET due_at = due_at - interval '${ms} milliseconds';
  UPDATE disabled_share SET disabled_at = disabled_at - interval '${ms} milliseconds';
  UPDATE share_report SET created_at = created_at - interval '${ms} milliseconds',
    updated_at = updated_at - interval '${ms} milliseconds', resolved_at = resolved_at - interval '${ms} milliseconds'`

const alignCreations = `
  UPDATE snippet SET created_at = '2030-01-01Z';
  UPDATE share SET created_at = '2030-01-01Z'`

/** Creates the schema, and opens two pools in it, as a running process does. */
export async function openPostgresFixture(prefix: string): Promise<PostgresFixture> {
  const schema = await createMigratedSchema(prefix, migrations)
  const pool = schema.openPool()
  const deferred = schema.openPool({ synchronousCommit: false })
  const listed = postgresDocumentStore(deferred)
  const fixture: PostgresFixture = {
    pool,
    listed,
    openPool: schema.openPool,
    ports: {
      snippets: postgresSnippetStore(pool),
      revisions: postgresRevisionStore(pool),
      contracts: postgresContractStore(pool),
      checks: postgresCheckStore(pool),
      shares: postgresShareStore(pool),
      reports: postgresReportStore(pool),
      moderation: postgresModerationStore(pool),
      gates: postgresShareGates(pool),
      erasure: postgresOwnerErasure(pool),
      planVersions: postgresPlanVersions(pool),
      outbox: postgresEventOutbox(pool),
      auditOutbox: postgresAuditOutbox(pool),
      registry: postgresDocumentRegistry(deferred),
      documents: listed,
      usage: postgresStorageUsage(pool),
      diskIsFull: () => false,
      idempotency: postgresIdempotencyStore(deferred),
      ids: randomContentIds,
      hashing: nodeHashing,
      passwords: plainPasswords,
      monotonicMs: () => performance.now(),
    },
    async reset() {
      await schema.asOwner(
        'TRUNCATE owner, snippet, snippet_revision, snippet_contract, snippet_check, share, document, document_chunk, idempotency_key, event_delivery, audit_delivery, share_view, share_grant, disabled_share, share_report, erasure_ledger',
      )
      return fixture
    },
    async migrateAgain(names) {
      await schema.asOwner(`DELETE FROM migrations WHERE name IN ('${names.join("', '")}')`)
      await schema.migrateOn(migrations)
    },
    async passTime(ms) {
      await pool.query(passTime(ms))
    },
    async alignCreations() {
      await pool.query(alignCreations)
    },
    async damageDocument(id) {
      const flipped = 'set_byte(bytes, 0, get_byte(bytes, 0) # 1)'
      await pool.query(`UPDATE document_chunk SET bytes = ${flipped} WHERE document_id = $1 AND seq = 0`, [
        id,
      ])
    },
    async damageSnippet(id) {
      await pool.query('UPDATE snippet SET data = set_byte(data, 0, get_byte(data, 0) # 1) WHERE id = $1', [
        id,
      ])
    },
    async documentsWithBytes() {
      const { rows } = await pool.query<{ n: number }>(
        'SELECT count(DISTINCT document_id)::int AS n FROM document_chunk',
      )
      return rows[0]?.n ?? -1
    },
    close: schema.close,
  }
  return fixture
}
