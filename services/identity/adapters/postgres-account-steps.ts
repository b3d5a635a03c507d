import { type Pool, query } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { accountId } from '../domain/account.js'
import type { AccountState, AccountStep, DataService } from '../domain/account-step.js'
import type { ErasureStore } from '../erasure-ports.js'

/** A later state of an account replaces the step of an earlier one. */
const add = `
  INSERT INTO account_step (account_id, service, state, version)
  SELECT $1, one.service, $3, $4 FROM unnest($2::text[]) AS one (service)
  ON CONFLICT (account_id, service) DO UPDATE SET state = excluded.state, version = excluded.version,
    due_at = excluded.due_at, attempts = 0, created_at = excluded.created_at`

/**
 * An operator's decision leaves a closure that content has not heard of as it is, under a new version: whoever works on
 * it with the old state must not remove it. Content has nothing to hide of an account that is being erased.
 */
const addHidden = `
  INSERT INTO account_step (account_id, service, state, version)
  SELECT account.id, 'content', CASE WHEN account.erase_after IS NULL THEN 'open' ELSE 'closed' END,
    account.suspension_version
  FROM account WHERE account.id = $1 AND account.erasing_at IS NULL
  ON CONFLICT (account_id, service) DO UPDATE SET version = excluded.version, due_at = excluded.due_at, attempts = 0
  WHERE account_step.state <> 'erased'`

/** Shares are hidden by the newest state of the account, which may be later than that of the step. */
const claim = `
  WITH due AS MATERIALIZED (
    SELECT account_step.account_id FROM account_step
    WHERE account_step.service = $1 AND account_step.due_at <= now()
    ORDER BY account_step.due_at LIMIT $2 FOR UPDATE SKIP LOCKED),
  claimed AS (
    UPDATE account_step SET due_at = now() + $3 * interval '1 millisecond' FROM due
    WHERE account_step.account_id = due.account_id AND account_step.service = $1
    RETURNING account_step.account_id, account_step.state, account_step.version)
  SELECT claimed.*, account.suspension_version,
    account.suspended_at IS NOT NULL OR account.erase_after IS NOT NULL AS hidden
  FROM claimed JOIN account ON account.id = claimed.account_id`

const ofStep = `
  WHERE account_step.account_id = $1 AND account_step.service = $2 AND account_step.version = $3`

const finish = `
  WITH finished AS (DELETE FROM account_step ${ofStep} RETURNING account_step.account_id, account_step.state)
  INSERT INTO erasure_receipt (account_digest, service)
  SELECT sha256(convert_to(finished.account_id, 'UTF8')), $2 FROM finished WHERE finished.state = 'erased'
  ON CONFLICT DO NOTHING`

const postpone = `
  UPDATE account_step SET
    due_at = now() + CASE WHEN $4 THEN least(2 ^ least(account_step.attempts, 6), 60) ELSE 1 END * interval '1 second',
    attempts = account_step.attempts + $4::int
  ${ofStep}`

interface StepRow {
  readonly account_id: string
  readonly state: AccountState
  readonly version: string
  readonly suspension_version: string
  readonly hidden: boolean
}

/** Adds a step for each of these services, in the transaction of its cause. */
export async function addSteps(
  tx: Session,
  id: string,
  services: readonly DataService[],
  state: AccountState,
  version: number,
): Promise<void> {
  await tx.query({ name: 'account-step-add', text: add, values: [id, services, state, version] })
}

/** Adds a step for content after an account was suspended or resumed, in the same transaction. */
export async function addHiddenStep(tx: Session, id: string): Promise<void> {
  await tx.query({ name: 'account-step-add-hidden', text: addHidden, values: [id] })
}

function keyOf({ accountId: id, service, version }: AccountStep): unknown[] {
  return [id, service, version]
}

/** The steps of services, in Postgres. */
export function accountSteps(pool: Pool): Pick<ErasureStore, 'claim' | 'finish' | 'postpone'> {
  return {
    async claim(service, limit, leaseMs) {
      const statement = { name: 'account-step-claim', text: claim, values: [service, limit, leaseMs] }
      return (await query<StepRow>(pool, statement)).rows.map((row) => ({
        accountId: accountId(row.account_id),
        service,
        state: row.state,
        version: Number(row.version),
        hidden: row.hidden,
        hiddenVersion: Number(row.suspension_version),
      }))
    },
    async finish(step) {
      await query(pool, { name: 'account-step-finish', text: finish, values: keyOf(step) })
    },
    async postpone(step, failed) {
      const values = [...keyOf(step), failed]
      await query(pool, { name: 'account-step-postpone', text: postpone, values })
    },
  }
}
