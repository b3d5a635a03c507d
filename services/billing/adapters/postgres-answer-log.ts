import { type Pool, query } from '#libs/postgres/pool.js'
import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import type { AnswerLog, KeptAnswer } from '../ports.js'

const isCurrent = `idempotency_key.created_at > now() - interval '${idempotencyKeyLifeMs} milliseconds'`

const find = `
  SELECT idempotency_key.fingerprint, idempotency_key.answer AS text FROM idempotency_key
  WHERE idempotency_key.account_id = $1 AND idempotency_key.key = $2 AND ${isCurrent}`

/** One that is past its life gives way. */
const keep = `
  INSERT INTO idempotency_key (account_id, key, fingerprint, answer) VALUES ($1, $2, $3, $4)
  ON CONFLICT (account_id, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at
  WHERE NOT ${isCurrent}`

const forget = `DELETE FROM idempotency_key WHERE NOT ${isCurrent}`

/** Answers in Postgres. */
export function postgresAnswerLog(pool: Pool): AnswerLog {
  const findAnswer: AnswerLog['find'] = async (accountId, key) => {
    const statement = { name: 'billing-answer', text: find, values: [accountId, key] }
    return (await query<KeptAnswer & { [column: string]: string }>(pool, statement)).rows[0] ?? null
  }
  return {
    find: findAnswer,
    async keep(accountId, key, answer) {
      const values = [accountId, key, answer.fingerprint, answer.text]
      const { rowCount } = await query(pool, { name: 'billing-keep-answer', text: keep, values })
      return rowCount === 1 ? answer : ((await findAnswer(accountId, key)) ?? answer)
    },
    async forgetOld() {
      return (await query(pool, { name: 'billing-forget-answers', text: forget, values: [] })).rowCount ?? 0
    },
  }
}
