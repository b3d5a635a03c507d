import { firstRow, type Pool, query, rowCount, statement } from '#libs/postgres/pool.js'
import { transaction } from '#libs/postgres/transaction.js'
import { accountId } from '../domain/account.js'
import type { DataService } from '../domain/account-step.js'
import type { ErasedAccount, ErasureStore } from '../erasure-ports.js'
import { addSteps } from './postgres-account-steps.js'

const pageSize = 1_000

const page = statement('erasure-ledger')(`
  SELECT encode(erasure_ledger.account_digest, 'hex') AS digest,
    erasure_ledger.erased_at AS "erasedAt"
  FROM erasure_ledger
  WHERE $1::timestamptz IS NULL OR (erasure_ledger.erased_at, erasure_ledger.account_digest) > ($1, decode($2, 'hex'))
  ORDER BY erasure_ledger.erased_at, erasure_ledger.account_digest LIMIT ${pageSize}`)

const add = statement('erasure-ledger-add')(`
  INSERT INTO erasure_ledger (account_digest, erased_at)
  SELECT decode(line.digest, 'hex'), line.erased_at FROM unnest($1::text[], $2::timestamptz[]) AS line (digest, erased_at)
  ON CONFLICT DO NOTHING`)

/** Every account is hashed: once, after a restore. */
const begin = statement('erasure-ledger-begin')(`
  UPDATE account SET erase_after = coalesce(least(account.erase_after, now()), now()), erasing_at = now(),
    suspension_version = account.suspension_version + 1
  FROM erasure_ledger
  WHERE erasure_ledger.account_digest = sha256(convert_to(account.id, 'UTF8')) AND account.erasing_at IS NULL
  RETURNING account.id, account.suspension_version`)

/** After the others have begun. */
const renew = statement('erasure-ledger-renew')(`
  UPDATE account SET erase_after =
    greatest(account.erase_after, date_trunc('milliseconds', now()) + $1 * interval '1 day')
  WHERE account.erase_after IS NOT NULL AND account.erasing_at IS NULL`)

/** Only accounts that are being erased are hashed. */
const countRestored = statement('erasure-count-restored')(`
  SELECT count(*)::int AS accounts FROM account
    JOIN erasure_ledger ON erasure_ledger.account_digest = sha256(convert_to(account.id, 'UTF8'))
  WHERE account.erase_after IS NOT NULL AND account.erasing_at IS NOT NULL`)

/** The ledger of erasures, in Postgres. */
export function erasureLedger(
  pool: Pool,
  services: readonly DataService[],
): Pick<ErasureStore, 'ledger' | 'applyLedger' | 'countRestored'> {
  return {
    async *ledger() {
      for (let last: ErasedAccount | undefined; ; ) {
        const { rows } = await query<ErasedAccount>(pool, page(last?.erasedAt ?? null, last?.digest ?? ''))
        yield* rows
        last = rows.at(-1)
        if (rows.length < pageSize) return
      }
    },

    applyLedger: (erased, days) =>
      transaction(pool, async (tx) => {
        const [digests, times] = [erased.map(({ digest }) => digest), erased.map(({ erasedAt }) => erasedAt)]
        await tx.query(add(digests, times))
        type Row = { readonly id: string; readonly suspension_version: string }
        const { rows } = await tx.query<Row>(begin())
        for (const { id, suspension_version: version } of rows)
          await addSteps(tx, id, services, 'erased', Number(version))
        const renewed = await rowCount(tx, renew(days))
        return { erasing: rows.map(({ id }) => accountId(id)), renewed }
      }),

    countRestored: async () => (await firstRow<{ accounts: number }>(pool, countRestored()))?.accounts ?? 0,
  }
}
