import { firstAs, firstRow, type Pool, type Prepared, rowCount, statement } from '#libs/postgres/pool.js'
import { transaction } from '#libs/postgres/transaction.js'
import type { PlanName } from '#shared/core/plan.js'
import { type Account, accountId } from '../domain/account.js'
import { type ManualPlan, planChanged, planGranted } from '../domain/account-event.js'
import type { AccountStore } from '../ports.js'
import { recordEvent } from './postgres-event-store.js'

export interface AccountRow {
  readonly id: string
  readonly email: string | null
  readonly email_verified: boolean
  readonly name: string | null
  readonly picture: string | null
  readonly profile_issued_at: Date | null
  readonly plan: PlanName
  readonly plan_version: string
  readonly account_created_at: Date
  readonly suspended_at: Date | null
  readonly erase_after: Date | null
  readonly signed_in_today: boolean
}

export const accountColumns = `account.id, account.email, account.email_verified, account.name, account.picture,
  account.plan, account.plan_version, account.created_at AS account_created_at, account.suspended_at,
  account.erase_after, account.profile_issued_at, account.signed_in_at > now() - interval '1 day' AS signed_in_today`

const find = statement('account-find')(`
  SELECT ${accountColumns} FROM account WHERE account.issuer = $1 AND account.subject = $2`)

const upsert = statement('account-upsert')(`
  INSERT INTO account (id, issuer, subject, email, email_verified, name, picture, profile_issued_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (issuer, subject) DO UPDATE
    SET email = excluded.email, email_verified = excluded.email_verified, name = excluded.name,
      picture = excluded.picture,
      profile_issued_at = coalesce(excluded.profile_issued_at, account.profile_issued_at)
    WHERE (excluded.profile_issued_at < account.profile_issued_at) IS NOT TRUE
  RETURNING ${accountColumns}`)

const setPlan = statement('account-set-plan')(`
  WITH held AS (
    SELECT account.plan FROM account WHERE account.id = $1 AND account.plan_version < $3 FOR NO KEY UPDATE)
  UPDATE account SET plan = $2, plan_version = $3 FROM held
  WHERE account.id = $1 AND account.plan_version < $3
  RETURNING ${accountColumns}, held.plan AS plan_before`)

const noteSignIn = statement('account-note-sign-in')(`
  UPDATE account SET signed_in_at = now()
  WHERE account.id = $1 AND account.signed_in_at <= now() - interval '1 day'`)

const findById = statement('account-find-by-id')(`
  SELECT ${accountColumns} FROM account WHERE account.id = $1`)

export function restoreAccount(row: AccountRow): Account {
  return {
    id: accountId(row.id),
    profile: { email: row.email, emailVerified: row.email_verified, name: row.name, picture: row.picture },
    profileIssuedAt: row.profile_issued_at,
    plan: row.plan,
    planVersion: Number(row.plan_version),
    createdAt: row.account_created_at,
    suspendedAt: row.suspended_at,
    erasedAfter: row.erase_after,
    signedInToday: row.signed_in_today,
  }
}

function changePlan(
  pool: Pool,
  values: readonly unknown[],
  grant: ManualPlan | null,
): Promise<Account | null> {
  return transaction(pool, async (tx) => {
    type Changed = AccountRow & { readonly plan_before: AccountRow['plan'] }
    const row = await firstRow<Changed>(tx, setPlan(...values))
    if (row === undefined) return null
    const account = restoreAccount(row)
    const { plan_before: before } = row
    if (before !== account.plan) await recordEvent(tx, planChanged(account.id, before, account.plan))
    if (grant !== null) await recordEvent(tx, planGranted(account.id, account.plan, grant))
    return account
  })
}

export function postgresAccountStore(pool: Pool): AccountStore {
  const first = (found: Prepared): Promise<Account | null> => firstAs(pool, found, restoreAccount)
  return {
    find: ({ issuer, subject }) => first(find(issuer, subject)),
    async upsert(id, { issuer, subject }, { email, emailVerified, name, picture }, issuedAt) {
      const change = upsert(id, issuer, subject, email, emailVerified, name, picture, issuedAt)
      // No row is returned if a later token came first.
      const account = (await first(change)) ?? (await first(find(issuer, subject)))
      if (account === null) throw new Error('an account disappeared during a request')
      return account
    },
    noteSignIn: async (id) => (await rowCount(pool, noteSignIn(id))) === 1,
    async setPlan(id, plan, version, grant = null) {
      const changed = await changePlan(pool, [id, plan, version], grant)
      if (changed !== null) return { account: changed, applied: true }
      const unchanged = await first(findById(id))
      return unchanged === null ? null : { account: unchanged, applied: false }
    },
  }
}
