import { firstRow, type Pool, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import type { KeyedQueue } from '#libs/runtime/keyed-queue.js'
import { accountId } from '../domain/account.js'
import { keyRevoked, keyRotated, previousEnded, secretExpired } from '../domain/account-event.js'
import { type ApiKey, apiKeyId, apiKeyNotFound } from '../domain/api-key.js'
import { type RevokedPart, revokedPart, rotationDaysMax, type SecretDraft } from '../domain/rotation.js'
import type { ApiKeyStore } from '../ports.js'
import { type ApiKeyRow, apiKeyColumns, restoreApiKey } from './postgres-api-key-row.js'
import { recordEvent } from './postgres-event-store.js'
import { lockKey } from './postgres-key-holder.js'
import { issueOnce, lockAccount } from './postgres-key-issue.js'

type Rotations = Pick<ApiKeyStore, 'rotate' | 'endPrevious' | 'revoke'>

const findKey = statement('api-key-find-locked')(`
  SELECT ${apiKeyColumns}, api_key.expires_at IS NOT NULL AND api_key.expires_at <= now() AS is_expired
  FROM api_key WHERE api_key.id = $1`)

/**
 * An unused new secret expires; until then the previous one has no end, so it stays valid.
 */
const insert = statement('api-key-secret-add')(`
  INSERT INTO api_key_secret
    (api_key_id, number, digest, pepper_version, prefix, last4, created_at, expires_at, overlap_s)
  SELECT $1, (SELECT max(any_one.number) FROM api_key_secret AS any_one WHERE any_one.api_key_id = $1) + 1,
    decode($3, 'hex'), $4, $5, $6, date_trunc('milliseconds', now()),
    CASE WHEN $7::integer IS NOT NULL AND previous.expires_at IS NULL
      THEN date_trunc('milliseconds', now()) + ${rotationDaysMax} * interval '1 day' END, $7::integer
  FROM api_key_secret AS previous WHERE previous.api_key_id = $1 AND previous.number = $2`)

const endAfter = statement('api-key-secret-end')(`
  UPDATE api_key_secret SET expires_at = least(api_key_secret.expires_at,
    date_trunc('milliseconds', now()) + $3::bigint * interval '1 second')
  WHERE api_key_secret.api_key_id = $1 AND api_key_secret.number = $2`)

const removeSecret = statement('api-key-secret-remove')(`
  DELETE FROM api_key_secret WHERE api_key_secret.api_key_id = $1 AND api_key_secret.number = $2`)

const goOn = statement('api-key-secret-go-on')(`
  UPDATE api_key_secret SET expires_at = NULL
  WHERE api_key_secret.api_key_id = $1 AND api_key_secret.number = $2`)

const removeKey = statement('api-key-end')('DELETE FROM api_key WHERE api_key.id = $1')

const findHolder = statement('api-key-revoke-find')(`
  SELECT api_key.id, api_key.account_id, secret.number FROM api_key_secret AS secret
  JOIN api_key ON api_key.id = secret.api_key_id
  WHERE secret.digest = ANY ($1) AND (api_key.expires_at IS NULL OR api_key.expires_at > now())
    AND (secret.expires_at IS NULL OR secret.expires_at > now())`)

/** Each needs an event. */
const deadMax = 200

const removeDead = statement('api-key-secret-remove-dead')(`
  DELETE FROM api_key_secret USING api_key
  WHERE api_key_secret.expires_at <= now() AND api_key.id = api_key_secret.api_key_id
    AND api_key_secret.ctid = ANY (ARRAY(
      SELECT old.ctid FROM api_key_secret AS old WHERE old.expires_at <= now() LIMIT ${deadMax}))
  RETURNING api_key.id, api_key.account_id, api_key.name`)

interface LockedKey {
  readonly apiKey: ApiKey
  readonly isExpired: boolean
}

async function locked(tx: Session, id: string): Promise<LockedKey | null> {
  await tx.query(lockKey(id))
  const row = await firstRow<ApiKeyRow & { readonly is_expired: boolean }>(tx, findKey(id))
  return row === undefined ? null : { apiKey: restoreApiKey(row), isExpired: row.is_expired }
}

function remove(tx: Session, id: string, secret: number): Promise<unknown> {
  return tx.query(removeSecret(id, secret))
}

async function addSecret(tx: Session, { current, previous }: ApiKey, draft: SecretDraft): Promise<void> {
  const { apiKeyId: id, digest, prefix, last4, begins, overlapSeconds } = draft
  if (previous !== null) await remove(tx, id, current.number)
  const old = (previous ?? current).number
  const overlap = begins === 'now' ? null : overlapSeconds
  await tx.query(insert(id, old, digest.digest, digest.pepperVersion, prefix, last4, overlap))
  if (begins === 'now') await tx.query(endAfter(id, old, overlapSeconds))
}

async function endOlder(tx: Session, { id, current, previous }: ApiKey): Promise<void> {
  if (previous === null) return
  await remove(tx, id, previous.number)
  await tx.query(goOn(id, current.number))
}

async function endPart(tx: Session, apiKey: ApiKey, part: RevokedPart): Promise<void> {
  if (part === 'api-key') await tx.query(removeKey(apiKey.id))
  else if (part === 'previous') await endOlder(tx, apiKey)
  else await remove(tx, apiKey.id, apiKey.current.number)
}

/** The rotation part of the Postgres store; each method locks the key. */
export function postgresRotations(pool: Pool, accounts: KeyedQueue): Rotations {
  const rotate: Rotations['rotate'] = (draft, admit, request) =>
    transaction(pool, async (tx) => {
      const plan = await lockAccount(tx, draft.accountId)
      return issueOnce(tx, draft.accountId, request, async () => {
        const found = await locked(tx, draft.apiKeyId)
        if (found === null || found.apiKey.accountId !== draft.accountId) throw apiKeyNotFound()
        admit(plan, found.apiKey, found.isExpired)
        await addSecret(tx, found.apiKey, draft)
        const { apiKey } = (await locked(tx, draft.apiKeyId)) ?? found
        await recordEvent(tx, keyRotated(apiKey, draft.overlapSeconds, draft.begins))
        return apiKey
      })
    })
  return {
    rotate: (draft, admit, request) => accounts.run(draft.accountId, () => rotate(draft, admit, request)),
    endPrevious: (account, id) =>
      transaction(pool, async (tx) => {
        const found = await locked(tx, id)
        if (found === null || found.apiKey.accountId !== account || found.apiKey.previous === null)
          return false
        await endOlder(tx, found.apiKey)
        await recordEvent(tx, previousEnded(found.apiKey))
        return true
      }),
    revoke: (digests) =>
      transaction(pool, async (tx) => {
        const wanted = digests.map(({ digest }) => Buffer.from(digest, 'hex'))
        const find = findHolder(wanted)
        interface Holder {
          readonly id: string
          readonly account_id: string
          readonly number: number
        }
        const before = await firstRow<Holder>(tx, find)
        const found = before === undefined ? null : await locked(tx, before.id)
        const row = await firstRow<Holder>(tx, find)
        if (row === undefined || found === null) return null
        const part = revokedPart(found.apiKey, row.number)
        await endPart(tx, found.apiKey, part)
        await recordEvent(tx, keyRevoked(found.apiKey, part))
        return { accountId: accountId(row.account_id), id: apiKeyId(row.id), part }
      }),
  }
}

function removeSomeEnded(pool: Pool): Promise<number> {
  return transaction(pool, async (tx) => {
    interface Dead {
      readonly id: string
      readonly account_id: string
      readonly name: string
    }
    const { rows } = await tx.query<Dead>(removeDead())
    for (const { id, account_id: account, name } of rows)
      await recordEvent(tx, secretExpired({ id: apiKeyId(id), accountId: accountId(account), name }))
    return rows.length
  })
}

/** Removes expired secrets in batches until the signal is aborted; returns their number. */
export async function removeEndedSecrets(pool: Pool, signal: AbortSignal): Promise<number> {
  for (let total = 0; ; ) {
    const removed = await removeSomeEnded(pool)
    total += removed
    if (removed < deadMax || signal.aborted) return total
  }
}
