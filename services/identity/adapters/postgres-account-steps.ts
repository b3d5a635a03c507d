import { leasedQueue } from '#libs/postgres/leased-queue.js'
import { type Pool, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import type { AccountState, AccountStep, DataService } from '../domain/account-step.js'
import type { ErasureStore } from '../erasure-ports.js'

/** A later state of an account replaces the step of an earlier one. */
const add = statement('account-step-add')(`
  INSERT INTO account_step (account_id, service, state, version)
  SELECT $1, one.service, $3, $4 FROM unnest($2::text[]) AS one (service)
  ON CONFLICT (account_id, service) DO UPDATE SET state = excluded.state, version = excluded.version,
    due_at = excluded.due_at, attempts = 0, created_at = excluded.created_at`)

/**
 * An operator's decision leaves a closure that content has not heard of as it is, under a new version: whoever works on
 * it with the old state must not remove it. Content has nothing to hide of an account that is being erased.
 */
const addHidden = statement('account-step-add-hidden')(`
  INSERT INTO account_step (account_id, service, state, version)
  SELECT account.id, 'content', CASE WHEN account.erase_after IS NULL THEN 'open' ELSE 'closed' END,
    account.suspension_version
  FROM account WHERE account.id = $1 AND account.erasing_at IS NULL
  ON CONFLICT (account_id, service) DO UPDATE SET version = excluded.version, due_at = excluded.due_at, attempts = 0
  WHERE account_step.state <> 'erased'`)

/** Shares are hidden by the newest state of the account, which may be later than that of the step. */
const columns = `
  account_step.account_id AS "accountId", account_step.service, account_step.state,
  account_step.version::float8 AS version,
  (SELECT account.suspension_version::float8 FROM account WHERE account.id = account_step.account_id) AS "hiddenVersion",
  (SELECT account.suspended_at IS NOT NULL OR account.erase_after IS NOT NULL FROM account
    WHERE account.id = account_step.account_id) AS hidden`

const addReceipts = `
  INSERT INTO erasure_receipt (account_digest, service)
  SELECT sha256(convert_to(finished.account_id, 'UTF8')), finished.service FROM finished
  WHERE finished.state = 'erased'
  ON CONFLICT DO NOTHING`

/** Adds a step for each of these services, in the transaction of its cause. */
export async function addSteps(
  tx: Session,
  id: string,
  services: readonly DataService[],
  state: AccountState,
  version: number,
): Promise<void> {
  await tx.query(add(id, services, state, version))
}

/** Adds a step for content after an account was suspended or resumed, in the same transaction. */
export async function addHiddenStep(tx: Session, id: string): Promise<void> {
  await tx.query(addHidden(id))
}

/** The steps of services, in Postgres. */
export function accountSteps(pool: Pool): Pick<ErasureStore, 'claim' | 'finish' | 'postpone'> {
  const queue = leasedQueue<AccountStep, 'accountId' | 'service' | 'version'>(pool, {
    name: 'account-step',
    table: 'account_step',
    key: { accountId: 'text', service: 'text', version: 'bigint' },
    columns,
    condition: 'account_step.service = $3',
    afterFinish: addReceipts,
  })
  return {
    claim: (service, limit, leaseMs) => queue.claim(limit, leaseMs, service),
    finish: (step) => queue.finish([step]),
    postpone: (step, failed) => queue.postpone([step], failed),
  }
}
