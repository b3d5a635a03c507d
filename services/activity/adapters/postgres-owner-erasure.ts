import type { Pool } from '#libs/postgres/pool.js'
import { transaction } from '#libs/postgres/transaction.js'
import { isErased, noteErased } from '#shared/erasure/erasure-ledger.js'
import type { OwnerId } from '../domain/ids.js'
import { removeEntries } from './postgres-removal.js'

/** Every write for an owner locks this row; inserting it waits for those that create it at this moment. */
const lock = `
  INSERT INTO owner (owner_id, plan, plan_version) VALUES ($1, 'free', 0)
  ON CONFLICT (owner_id) DO UPDATE SET entry_count = owner.entry_count`

const rest = [
  'DELETE FROM entry WHERE entry.owner_id = $1',
  'DELETE FROM idempotency_key WHERE idempotency_key.owner_id = $1',
  'DELETE FROM owner WHERE owner.owner_id = $1',
]

/** Deletes an owner; see `HistoryStore.eraseOwner`. */
export async function eraseOwner(pool: Pool, owner: OwnerId): Promise<void> {
  await removeEntries(pool, owner, null)
  await transaction(pool, async (tx) => {
    if (!(await isErased(tx, owner)))
      await tx.query({ name: 'erasure-lock-owner', text: lock, values: [owner] })
    await noteErased(tx, owner)
    for (const text of rest) await tx.query({ text, values: [owner] })
  })
}
