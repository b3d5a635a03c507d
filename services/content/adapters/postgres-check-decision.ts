import { firstRow, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import type { ApprovalQuotas } from '../contract-ports.js'
import {
  baselineChanged,
  byCheck,
  type Check,
  type CheckDecision,
  changeOf,
  checkDecided,
  decided,
} from '../domain/check.js'
import { checkDecidedEvent } from '../domain/content-event.js'
import type { CheckId, OwnerId } from '../domain/ids.js'
import { type DigestedData, hasSameBytes, noStorageQuota } from '../domain/stored-data.js'
import { named } from './postgres-check-add.js'
import { type CheckRow, checkColumns, principalText, restoreCheck, subjectOf } from './postgres-check-rows.js'
import { addDelivery } from './postgres-event-outbox.js'
import { readDataOf, releaseDocument } from './postgres-rows.js'
import { insertSnippet } from './postgres-snippet-add.js'
import { changeLocked, type LockedSnippet, lockSnippet } from './postgres-snippet-change.js'

const findSubject = statement('check-subject')(`
  SELECT snippet_check.subject FROM snippet_check WHERE snippet_check.owner_id = $1 AND snippet_check.id = $2`)

/** A waiting transaction began before the decision that it then sees. */
const lock = statement('check-lock')(`
  SELECT ${checkColumns('snippet_check.breaks')}, snippet_check.data,
    date_trunc('milliseconds', clock_timestamp()) AS now
  FROM snippet_check WHERE snippet_check.owner_id = $1 AND snippet_check.id = $2 FOR UPDATE`)

const settle = statement('check-settle')(`
  UPDATE snippet_check SET subject = $3, state = $4, version = $5, decided_at = $6, decided_by = $7, note = $8, data = NULL,
    document_id = NULL
  WHERE snippet_check.owner_id = $1 AND snippet_check.id = $2`)

/** A pending check that no one else can decide in this transaction, and its candidate. */
interface LockedCheck {
  readonly check: Check
  readonly data: DigestedData
}

type Became = { readonly snippetId: NonNullable<Check['snippetId']>; readonly version: number }

/** Makes the candidate the next version of its snippet, unless it has the bytes of the current one. */
async function change(
  tx: Session,
  { check, data }: LockedCheck,
  locked: LockedSnippet | null,
  { principal }: CheckDecision,
  { revisions }: ApprovalQuotas,
): Promise<Became> {
  if (locked === null || locked.snippet.version !== check.judgement.baselineVersion) throw baselineChanged()
  const { id, version, digest } = locked.snippet
  if (hasSameBytes(digest, data.digest)) {
    if (data.kind === 'document') await releaseDocument(tx, data.id)
    return { snippetId: id, version }
  }
  // The candidate was counted already, and its document belongs to it.
  const wanted = { change: changeOf(check, data, principal), isClaimed: true }
  const after = await changeLocked(tx, locked, wanted, { storage: noStorageQuota, revisions })
  return { snippetId: id, version: after.version }
}

/** Makes the candidate the first version of a snippet with the name that it was for. */
async function create(
  tx: Session,
  { check, data }: LockedCheck,
  { principal, newSnippet: id }: CheckDecision,
  { snippets, refuse }: ApprovalQuotas,
): Promise<Became> {
  const { ownerId, name, tool, title } = check
  // Whether there is room does not matter then.
  if (name !== null && (await firstRow(tx, named(ownerId, name))) !== undefined) throw baselineChanged()
  const draft = {
    id,
    ownerId,
    name,
    tool,
    title,
    tags: [],
    data,
    principal: byCheck(principal, check.id),
    mayApprove: true,
  }
  const made = await insertSnippet(tx, { draft, storage: noStorageQuota }, { snippets, bytes: null })
  if (made === null) throw refuse()
  return { snippetId: made.id, version: made.version }
}

/**
 * Decides in this transaction, which locks the snippet before the check, as those do that add checks; `null` for an
 * unknown check.
 */
export async function decideCheck(
  tx: Session,
  { ownerId, id }: { readonly ownerId: OwnerId; readonly id: CheckId },
  decision: CheckDecision,
  quotas: ApprovalQuotas,
): Promise<Check | null> {
  const found = await firstRow<{ subject: string }>(tx, findSubject(ownerId, id))
  if (found === undefined) return null
  const isNew = found.subject.startsWith('@')
  const snippet = decision.approve && !isNew ? await lockSnippet(tx, ownerId, found.subject) : null
  const row = await firstRow<CheckRow & { now: Date }>(tx, lock(ownerId, id))
  if (row === undefined) return null
  const check = restoreCheck(row)
  const candidate = readDataOf(row, true)
  if (check.state !== 'pending' || candidate === null) throw checkDecided(check.state)
  const locked = { check, data: { ...candidate, digest: check.digest } }
  let became: Became | null = null
  if (!decision.approve) await releaseDocument(tx, row.document_id)
  else if (isNew) became = await create(tx, locked, decision, quotas)
  else became = await change(tx, locked, snippet, decision, quotas)
  const after = decided(check, decision, row.now, became)
  const { state, version, decidedAt, decidedBy, note } = after
  const values = [subjectOf(after), state, version, decidedAt, principalText(decidedBy), note]
  await tx.query(settle(ownerId, id, ...values))
  await addDelivery(tx, checkDecidedEvent(after))
  return after
}
