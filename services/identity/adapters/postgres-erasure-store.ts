import { firstRow, type Pool, type Prepared, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import type { QueueState } from '#shared/core/audit-entry.js'
import { eraseFromAuditEntries, noteErased } from '#shared/erasure/erasure-ledger.js'
import { type AccountId, accountId } from '../domain/account.js'
import { accountClosed, accountRestored } from '../domain/account-event.js'
import {
  type AccountState,
  type DataService,
  erasureBegan,
  notifiedOfClosure,
} from '../domain/account-step.js'
import type { ChangedAccount, ErasureStore } from '../erasure-ports.js'
import { accountSteps, addSteps } from './postgres-account-steps.js'
import { type AccountRow, accountColumns, restoreAccount } from './postgres-account-store.js'
import { erasureLedger } from './postgres-erasure-ledger.js'
import { recordEvent } from './postgres-event-store.js'
import { closingRecords } from './postgres-operator-accounts.js'

/**
 * Secrets, usage, tokens and attempts go with their keys and rules. Events come after these: the use of a key that is
 * being noted may still add one. All of it is bounded by limits of the account.
 */
const owned = [
  'DELETE FROM account_step WHERE account_step.account_id = $1',
  'DELETE FROM idempotency_key WHERE idempotency_key.account_id = $1',
  'DELETE FROM api_key WHERE api_key.account_id = $1',
  'DELETE FROM trusted_publisher WHERE trusted_publisher.account_id = $1',
  'DELETE FROM event WHERE event.account_id = $1',
  `INSERT INTO erasure_receipt (account_digest, service) VALUES (sha256(convert_to($1::text, 'UTF8')), 'identity')
   ON CONFLICT DO NOTHING`,
  'DELETE FROM account WHERE account.id = $1',
]

/** Deletes an account that is locked; what is left is its digest in the ledger, in receipts and in the audit log. */
async function eraseRows(tx: Session, id: AccountId): Promise<void> {
  await noteErased(tx, id)
  await eraseFromAuditEntries(tx, id, ['operator_act'])
  for (const text of owned) await tx.query({ text, values: [id] })
}

interface LockedRow extends AccountRow {
  readonly suspension_version: string
  readonly is_over: boolean
}

const lock = statement('erasure-lock')(`
  SELECT ${accountColumns}, account.suspension_version,
    coalesce(account.erase_after <= now() OR account.erasing_at IS NOT NULL, false) AS is_over
  FROM account WHERE account.id = $1 FOR NO KEY UPDATE`)

const close = statement('erasure-close')(`
  UPDATE account SET suspension_version = account.suspension_version + 1,
    erase_after = date_trunc('milliseconds', now()) + $2 * interval '1 day'
  WHERE account.id = $1 RETURNING ${accountColumns}, account.suspension_version`)

const open = statement('erasure-open')(`
  UPDATE account SET suspension_version = account.suspension_version + 1, erase_after = NULL
  WHERE account.id = $1 RETURNING ${accountColumns}, account.suspension_version`)

const begin = statement('erasure-begin')(`
  WITH due AS MATERIALIZED (
    SELECT account.id FROM account WHERE account.erase_after <= now() AND account.erasing_at IS NULL
    ORDER BY account.erase_after LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
  UPDATE account SET erasing_at = now(), suspension_version = account.suspension_version + 1 FROM due
  WHERE account.id = due.id RETURNING account.id, account.suspension_version`)

/** Locked against everything, so that nothing is added to it until it is gone. */
const takeFinished = statement('erasure-take-finished')(`
  SELECT account.id FROM account
  WHERE account.erase_after IS NOT NULL AND account.erasing_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM account_step
      WHERE account_step.account_id = account.id AND account_step.service = ANY($1::text[]))
  LIMIT 1 FOR UPDATE SKIP LOCKED`)

const steps = statement('erasure-queue')(`
  SELECT 'account_steps' AS name, count(*)::float8 AS waiting,
    count(*) FILTER (WHERE account_step.attempts > 0)::float8 AS failing, min(account_step.created_at) AS "oldestAt"
  FROM account_step`)

function lockAccount(tx: Session, id: AccountId): Promise<LockedRow | undefined> {
  return firstRow<LockedRow>(tx, lock(id))
}

function result(row: LockedRow, changed: boolean): ChangedAccount {
  return { account: restoreAccount(row), version: Number(row.suspension_version), changed }
}

/** @param services those that hold data on this installation. */
export function postgresErasureStore(pool: Pool, services: readonly DataService[]): ErasureStore {
  const told = notifiedOfClosure.filter((service) => services.includes(service))

  const change = async (tx: Session, id: AccountId, update: Prepared, state: AccountState) => {
    const row = await firstRow<LockedRow>(tx, update)
    if (row === undefined) throw new Error('a locked account has no row')
    const changed = result(row, true)
    await addSteps(tx, id, told, state, changed.version)
    return changed
  }

  const eraseOne = (): Promise<boolean> =>
    transaction(pool, async (tx) => {
      const row = await firstRow<{ id: string }>(tx, takeFinished(services))
      if (row === undefined) return false
      await eraseRows(tx, accountId(row.id))
      return true
    })

  return {
    ...accountSteps(pool),
    ...erasureLedger(pool, services),
    closing: (limit) => closingRecords(pool, limit),

    close: (id, days) =>
      transaction(pool, async (tx) => {
        const row = await lockAccount(tx, id)
        if (row === undefined || row.erase_after !== null)
          return row === undefined ? null : result(row, false)
        const closed = await change(tx, id, close(id, days), 'closed')
        await recordEvent(tx, accountClosed(id, closed.account.erasedAfter))
        return closed
      }),

    restore: (id) =>
      transaction(pool, async (tx) => {
        const row = await lockAccount(tx, id)
        if (row === undefined || row.erase_after === null)
          return row === undefined ? null : result(row, false)
        if (row.is_over) throw erasureBegan()
        const opened = await change(tx, id, open(id), 'open')
        await recordEvent(tx, accountRestored(id))
        return opened
      }),

    beginDue: (limit) =>
      transaction(pool, async (tx) => {
        type Row = { readonly id: string; readonly suspension_version: string }
        const { rows } = await tx.query<Row>(begin(limit))
        for (const { id, suspension_version: version } of rows)
          await addSteps(tx, accountId(id), services, 'erased', Number(version))
        return rows.length
      }),

    async eraseFinished(limit) {
      let erased = 0
      while (erased < limit && (await eraseOne())) erased += 1
      return erased
    },

    async queue() {
      const row = await firstRow<QueueState>(pool, steps())
      if (row === undefined) throw new Error('a select of one row returned none')
      return row
    },
  }
}
