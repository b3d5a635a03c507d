import { firstRow, query, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import {
  acceptedAs,
  baselineChanged,
  breaksBytes,
  type Check,
  type CheckDraft,
  changeOf,
  isAccepted,
  judgedByOthers,
  newCheck,
  pendingMax,
} from '../domain/check.js'
import { checkBroke } from '../domain/content-event.js'
import { referencesOf } from '../domain/contract.js'
import type { Completion } from '../domain/idempotency.js'
import type { ChangeQuotas } from '../domain/revision.js'
import { hasSameBytes } from '../domain/stored-data.js'
import { addStatement, subjectOf } from './postgres-check-rows.js'
import { isSchema } from './postgres-contract-guard.js'
import { addDelivery } from './postgres-event-outbox.js'
import { claimDocument, completeKey } from './postgres-rows.js'
import {
  changeLocked,
  checkRoom,
  contractVersion,
  type LockedSnippet,
  lockSnippet,
} from './postgres-snippet-change.js'

/** The snippet that has the name. */
export const named = statement('check-named')(`
  SELECT snippet.id FROM snippet WHERE snippet.owner_id = $1 AND snippet.name = $2`)

/**
 * Two candidates for a name that no snippet has come one after another; an owner who was erased has none. The clock is
 * read under the lock, so that checks of one snippet have their times in their order.
 */
const lockOwner = statement('check-lock-owner')(`
  INSERT INTO owner (owner_id) VALUES ($1) ON CONFLICT (owner_id) DO UPDATE SET owner_id = excluded.owner_id`)
const clock = statement('check-clock')(`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`)

/** What drops the candidates of the checks that `due` selects. */
export const expireDue = (due: string): string => `
  WITH due AS MATERIALIZED (
    SELECT snippet_check.id, snippet_check.document_id, snippet_check.data IS NOT NULL AS is_inline FROM snippet_check
    WHERE snippet_check.id = ANY (ARRAY(${due})) AND snippet_check.state = 'pending'
    ORDER BY snippet_check.owner_id, snippet_check.id FOR UPDATE SKIP LOCKED),
  released AS (
    UPDATE document SET unclaimed_since = now() FROM due WHERE document.id = due.document_id)
  UPDATE snippet_check SET state = 'expired', data = NULL, document_id = NULL FROM due
  WHERE snippet_check.id = due.id
  RETURNING CASE WHEN due.is_inline THEN snippet_check.size_bytes ELSE 0 END AS bytes`

/** Before the newest is added, so that it never expires itself. */
const expireSurplus = statement('check-expire-surplus')(
  expireDue(`
    SELECT surplus.id FROM snippet_check AS surplus
    WHERE surplus.owner_id = $1 AND surplus.subject = $2 AND surplus.state = 'pending'
    ORDER BY surplus.created_at DESC, surplus.id DESC OFFSET ${pendingMax - 1}`),
)

/**
 * Locks what the candidate is for; `null` in it if no snippet has the name. `undefined` for an unknown id.
 * @throws DomainError `baseline_changed` if there is a snippet, and was none when it was judged, or the other way round.
 */
async function lockTarget(
  tx: Session,
  { ownerId, target, judgement, baselineId }: CheckDraft,
): Promise<LockedSnippet | null | undefined> {
  const name = 'name' in target ? target.name : ''
  const byName = 'name' in target ? await firstRow<{ id: string }>(tx, named(ownerId, name)) : null
  if (byName === undefined) {
    if (judgement.baselineVersion > 0) throw baselineChanged()
    await tx.query(lockOwner(ownerId))
    // Another may have taken the name while this one waited.
    if ((await firstRow(tx, named(ownerId, name))) !== undefined) throw baselineChanged()
    return null
  }
  const id = byName?.id ?? ('id' in target ? target.id : '')
  const locked = await lockSnippet(tx, ownerId, id)
  if ('name' in target ? locked?.snippet.name !== target.name : locked === null) {
    if ('id' in target) return undefined
    throw baselineChanged()
  }
  const isOther = baselineId !== null && locked?.snippet.id !== baselineId
  if (judgement.baselineVersion === 0 || isOther) throw baselineChanged()
  return locked
}

/** Keeps a candidate until someone decides. */
async function keep(
  tx: Session,
  check: Check,
  { data }: CheckDraft,
  locked: LockedSnippet | null,
  storage: ChangeQuotas['storage'],
): Promise<Check> {
  const surplus = expireSurplus(check.ownerId, subjectOf(check))
  const { rows } = await query<{ bytes: string }>(tx, surplus)
  await claimDocument(tx, data, check.ownerId)
  await tx.query(addStatement(check, data))
  const freed = rows.reduce((sum, { bytes }) => sum + Number(bytes), 0)
  const grown = (data.kind === 'inline' ? data.digest.sizeBytes : 0) + breaksBytes(check) - freed
  const at = { ownerId: check.ownerId, updatedAt: locked?.now ?? check.createdAt }
  await checkRoom(tx, at, grown, storage)
  return check
}

/** The version that has the bytes of the candidate: a new one, unless they are those of the current one. */
async function becomeVersion(
  tx: Session,
  check: Check,
  { data, principal }: CheckDraft,
  locked: LockedSnippet,
  quotas: ChangeQuotas,
): Promise<number> {
  const { snippet } = locked
  if (hasSameBytes(snippet.digest, data.digest)) return snippet.version
  const change = { change: changeOf(check, data, principal), isClaimed: false }
  return (await changeLocked(tx, locked, change, quotas)).version
}

async function accept(
  tx: Session,
  check: Check,
  draft: CheckDraft,
  locked: LockedSnippet,
  quotas: ChangeQuotas,
): Promise<Check> {
  const { baselineVersion, contractVersion: judgedBy } = draft.judgement
  const current = await contractVersion(tx, locked.snippet)
  if (locked.snippet.version !== baselineVersion || current !== judgedBy) throw judgedByOthers()
  const version = await becomeVersion(tx, check, draft, locked, quotas)
  const accepted = acceptedAs(check, version)
  await tx.query(addStatement(accepted, draft.data))
  return accepted
}

/** Whether a person has to look at a candidate whatever its verdict is: it would change the schema of a contract. */
async function waitsAsSchema(
  tx: Session,
  { snippet }: LockedSnippet,
  { ownerId, data }: CheckDraft,
): Promise<boolean> {
  return !hasSameBytes(snippet.digest, data.digest) && isSchema(tx, ownerId, referencesOf(snippet))
}

async function timeUnderLock(tx: Session): Promise<Date> {
  const row = await firstRow<{ now: Date }>(tx, clock())
  if (row === undefined) throw new Error('the database returned no time')
  return row.now
}

/** Stores a judged candidate in this transaction; `null` for an unknown snippet. */
export async function addCheck(
  tx: Session,
  draft: CheckDraft,
  completion: Completion | null,
  quotas: ChangeQuotas,
): Promise<Check | null> {
  const locked = await lockTarget(tx, draft)
  if (locked === undefined) return null
  const made = newCheck(draft, locked?.snippet ?? null, await timeUnderLock(tx))
  const check =
    locked !== null && isAccepted(draft) && !(await waitsAsSchema(tx, locked, draft))
      ? await accept(tx, made, draft, locked, quotas)
      : await keep(tx, made, draft, locked, quotas.storage)
  if (check.judgement.verdict === 'breaks') await addDelivery(tx, checkBroke(check))
  await completeKey(tx, completion, check.id)
  return check
}
