import { unavailable } from '#libs/core/domain-error.js'
import { rowCount, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import type { Completion } from '../domain/idempotency.js'
import { type DocumentId, documentId, type OwnerId } from '../domain/ids.js'
import {
  type DataContent,
  type DataDigest,
  type DataLocation,
  type DigestedData,
  documentGone,
} from '../domain/stored-data.js'

/** The columns of a record's data. */
export interface DataColumns {
  readonly size_bytes: string
  readonly sha256: Buffer
  readonly document_id: string | null
  /** Absent or null if it was not selected. */
  readonly data?: Buffer | null
}

/** The digest in a row. */
export function digestOf(row: DataColumns): DataDigest {
  return { sizeBytes: Number(row.size_bytes), sha256: row.sha256.toString('hex') }
}

/** The location of a row's data. */
export function locationOfRow(row: DataColumns): DataLocation {
  return row.document_id === null ? { kind: 'inline' } : { kind: 'document', id: documentId(row.document_id) }
}

/** The data in a row. */
export function readDataOf(row: DataColumns, included: boolean): DataContent | null {
  if (!included) return null
  if (row.document_id !== null) return { kind: 'document', id: documentId(row.document_id) }
  return row.data === null || row.data === undefined ? null : { kind: 'inline', bytes: row.data }
}

/** The values of the columns size_bytes, sha256, data and document_id, in this order. */
export function dataValues(data: DigestedData): [number, Buffer, Uint8Array | null, string | null] {
  const { sizeBytes, sha256 } = data.digest
  const bytes = data.kind === 'inline' ? data.bytes : null
  return [sizeBytes, Buffer.from(sha256, 'hex'), bytes, data.kind === 'document' ? data.id : null]
}

const claim = statement('document-claim')(`
  UPDATE document SET unclaimed_since = NULL
  WHERE document.id = $1 AND document.owner_id = $2 AND document.unclaimed_since IS NOT NULL AND document.state = 'stored'`)

/**
 * Claims a document for a record of this transaction.
 * @throws DomainError `unavailable` if it was never complete, is already claimed, or was condemned.
 */
export async function claimDocument(tx: Session, data: DigestedData, owner: OwnerId): Promise<void> {
  if (data.kind !== 'document') return
  if ((await rowCount(tx, claim(data.id, owner))) !== 1) throw documentGone()
}

const release = statement('document-release')(`
  UPDATE document SET unclaimed_since = now() WHERE document.id = $1`)

/** Releases a document for the sweep; current readers can go on during the grace period. */
export async function releaseDocument(tx: Session, id: DocumentId | string | null): Promise<void> {
  if (id !== null) await tx.query(release(id))
}

/**
 * Looks up each lease by its key, whatever the planner estimates. An UPDATE with a join read the whole table, by a plan
 * made while it was small. The INSERT never adds a row, because each lease exists.
 */
const complete = statement('idempotency-complete')(`
  INSERT INTO idempotency_key (owner_id, operation, key, holder, state, lease_until, created_at, fingerprint, answer)
  SELECT done.owner_id, done.operation, done.key, done.holder, 'done', lease.lease_until, lease.created_at,
    done.fingerprint, done.answer
  FROM json_to_recordset($1) AS done (
    owner_id text, operation text, key text, holder text, fingerprint text, answer text)
  CROSS JOIN LATERAL (
    SELECT held.lease_until, held.created_at FROM idempotency_key AS held
    WHERE held.owner_id = done.owner_id AND held.operation = done.operation AND held.key = done.key LIMIT 1) AS lease
  ON CONFLICT (owner_id, operation, key) DO UPDATE
    SET state = 'done', fingerprint = excluded.fingerprint, answer = excluded.answer
    WHERE idempotency_key.holder = excluded.holder AND idempotency_key.state = 'running'`)

/** An idempotent request and its response. */
interface CompletedRequest {
  readonly completion: Completion
  readonly response: string
}

/**
 * Completes idempotent requests in the transaction of their effects. Returns `false` if one of their leases
 * was taken over: then roll back.
 */
export async function completeKeys(tx: Session, completed: readonly CompletedRequest[]): Promise<boolean> {
  if (completed.length === 0) return true
  const rows = completed.map(({ completion: { lease, fingerprint }, response }) => ({
    owner_id: lease.key.ownerId,
    operation: lease.key.operation,
    key: lease.key.key,
    holder: lease.holder,
    fingerprint,
    answer: response,
  }))
  return (await rowCount(tx, complete(JSON.stringify(rows)))) === completed.length
}

/**
 * The same for one request, or none.
 * @throws DomainError `unavailable` if the lease was taken over.
 */
export async function completeKey(
  tx: Session,
  completion: Completion | null,
  response: string,
): Promise<void> {
  if (completion !== null && !(await completeKeys(tx, [{ completion, response }])))
    throw unavailable('The request took too long and a retry replaced it. Try again.')
}
