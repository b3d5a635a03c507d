import type { StoredResponse } from '../core/stored-response.js'
import { deleteOld } from './delete-old.js'
import { firstRow, type Pool, rowCount, statement } from './pool.js'
import type { Session } from './session.js'

/** The column of the key's owner. */
type OwnerColumn = 'owner_id' | 'account_id'

/** The SQL that creates the table. */
export function createIdempotencyTable(ownerColumn: OwnerColumn): string {
  return `
  CREATE TABLE idempotency_key (
    ${ownerColumn} text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    fingerprint text NOT NULL,
    answer text NOT NULL, -- the response, as text
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (${ownerColumn}, key)
  );
  CREATE INDEX idempotency_key_age ON idempotency_key (created_at);`
}

/** Responses by idempotency key, separate for each owner. */
export interface IdempotencyTable {
  /** The response for this key; `null` for none, or an expired one. */
  find(db: Pool | Session, owner: string, key: string): Promise<StoredResponse | null>
  /** Stores a response unless there is a valid one; false if there is. */
  store(db: Pool | Session, owner: string, key: string, stored: StoredResponse): Promise<boolean>
  /** Deletes expired responses in batches until the signal is aborted; returns how many. */
  deleteExpired(pool: Pool, signal: AbortSignal): Promise<number>
}

/** The table that `createIdempotencyTable` creates, whose responses expire after `lifeMs`. */
export function idempotencyTable(ownerColumn: OwnerColumn, lifeMs: number): IdempotencyTable {
  const expired = (row: string): string => `${row}.created_at <= now() - interval '${lifeMs} milliseconds'`
  const find = statement('idempotency-find')(`
    SELECT idempotency_key.fingerprint, idempotency_key.answer AS response FROM idempotency_key
    WHERE idempotency_key.${ownerColumn} = $1 AND idempotency_key.key = $2 AND NOT ${expired('idempotency_key')}`)
  const store = statement('idempotency-store')(`
    INSERT INTO idempotency_key (${ownerColumn}, key, fingerprint, answer) VALUES ($1, $2, $3, $4)
    ON CONFLICT (${ownerColumn}, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at
    WHERE ${expired('idempotency_key')}`)
  const old = { name: 'idempotency-delete-expired', table: 'idempotency_key', isOld: expired }
  return {
    find: async (db, owner, key) =>
      (await firstRow<{ fingerprint: string; response: string }>(db, find(owner, key))) ?? null,
    store: async (db, owner, key, { fingerprint, response }) =>
      (await rowCount(db, store(owner, key, fingerprint, response))) === 1,
    deleteExpired: (pool, signal) => deleteOld(pool, old, signal),
  }
}
