import { DomainError } from '#libs/core/domain-error.js'
import { type EventPrincipal, ownerPrincipal } from '../domain/content-event.js'
import { derivedId, IdTaken, type OwnerId, type ShareId, type SnippetId, snippetId } from '../domain/ids.js'
import { type AddedRevision, changeQuotas, type RevisionDraft } from '../domain/revision.js'
import { draftShare, shareQuota } from '../domain/share.js'
import { decideExpiry } from '../domain/share-expiry.js'
import { checkGate } from '../domain/share-gate.js'
import {
  checkFields,
  draftSnippet,
  type SnippetDraft,
  type SnippetPast,
  snippetLimitReached,
} from '../domain/snippet.js'
import { type DataContent, diskFull, storageQuota } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'
import { digestData, type Requester } from './digest-data.js'
import { notFoundOrNotOwner } from './get-snippets.js'

type Ports = Pick<
  ContentPorts,
  'snippets' | 'revisions' | 'shares' | 'registry' | 'ids' | 'hashing' | 'diskIsFull'
>

/** The id that an imported item has, and whether it had it before. */
export interface ImportedId<Id> {
  readonly id: Id
  readonly existed: boolean
}

function isNameTaken(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'name_taken'
}

/**
 * The id of a snippet in this account: that of the archive, unless another account uses it; then one that follows
 * from both, so that a second import finds it.
 */
export async function targetOfSnippet(
  { snippets, hashing }: Pick<Ports, 'snippets' | 'hashing'>,
  ownerId: OwnerId,
  origin: SnippetId,
): Promise<ImportedId<SnippetId>> {
  const derived = snippetId(derivedId(hashing.sha256(`snippet ${ownerId} ${origin}`)))
  const [own, again] = await snippets.findEtags([
    { ownerId, id: origin },
    { ownerId, id: derived },
  ])
  if (own != null) return { id: origin, existed: true }
  if (again != null) return { id: derived, existed: true }
  return { id: (await snippets.exists(origin)) ? derived : origin, existed: false }
}

/** A share of an archive, in the account that it is imported to. */
export interface ShareOrigin {
  readonly ownerId: OwnerId
  readonly origin: ShareId
  /** Of its data, in hexadecimal. */
  readonly sha256: string
}

function importDigestOf(
  { hashing }: Pick<Ports, 'hashing'>,
  { ownerId, origin, sha256 }: ShareOrigin,
): string {
  return hashing.sha256(`share ${ownerId} ${origin} ${sha256}`)
}

/** The share in this account, as it was or from an earlier import; `null` if the account does not have it. */
export async function findImportedShare(
  ports: Pick<Ports, 'shares' | 'hashing'>,
  origin: ShareOrigin,
): Promise<ShareId | null> {
  const found = await ports.shares.find(origin.origin, false)
  if (found?.record.ownerId === origin.ownerId) return origin.origin
  return ports.shares.findImported(importDigestOf(ports, origin))
}

/** A snippet of an archive. */
export interface ImportSnippet
  extends Requester,
    Pick<SnippetDraft, 'name' | 'tool' | 'title' | 'tags' | 'mayApprove'> {
  readonly origin: SnippetId
  readonly data: DataContent
  readonly past: SnippetPast
}

/**
 * Stores a snippet of an archive with its id, name and times; changes nothing if the owner has it. If another snippet
 * has its name, it gets none.
 * @throws DomainError like `createSnippet`.
 */
export async function importSnippet(
  ports: Ports,
  { ownerId, plan, limits, origin, name, past, ...fields }: ImportSnippet,
): Promise<ImportedId<SnippetId> & { readonly nameTaken: boolean }> {
  const place = await targetOfSnippet(ports, ownerId, origin)
  if (place.existed) return { ...place, nameTaken: false }
  const { id } = place
  const data = await digestData(ports, fields.data, plan, limits)
  if (ports.diskIsFull()) throw diskFull()
  const draft = draftSnippet({ ...fields, id, ownerId, name, data, past, principal: null })
  const add = async (wanted: SnippetDraft): Promise<void> => {
    const snippet = await ports.snippets.add(wanted, limits.snippets, null, storageQuota(plan, limits))
    if (snippet === null) throw snippetLimitReached(plan, limits.snippets ?? 0)
  }
  try {
    await add(draft)
    return { id, existed: false, nameTaken: false }
  } catch (error) {
    if (error instanceof IdTaken) return { id, existed: true, nameTaken: false }
    if (!isNameTaken(error)) throw error
    await add({ ...draft, name: null })
    return { id, existed: false, nameTaken: true }
  }
}

/** An earlier version of a snippet of an archive. */
export interface ImportRevision extends Requester, Omit<RevisionDraft, 'data'> {
  readonly id: SnippetId
  readonly data: DataContent
  /** Whether the caller may change what a contract protects. */
  readonly mayApprove: boolean
}

/**
 * Adds an earlier version to a snippet.
 * @throws DomainError `validation_failed`, `data_too_large`, `storage_limit_reached`, `approval_required`, `not_found`,
 *   `not_owner`, `unavailable`.
 */
export async function importRevision(
  ports: Ports,
  { ownerId, plan, limits, id, mayApprove, ...fields }: ImportRevision,
): Promise<AddedRevision> {
  checkFields({ tool: fields.tool, title: fields.title, tags: fields.tags })
  const data = await digestData(ports, fields.data, plan, limits)
  if (ports.diskIsFull()) throw diskFull()
  const draft = { ...fields, data }
  const quotas = changeQuotas(plan, limits)
  const added = await ports.revisions.add({ ownerId, id }, draft, mayApprove, quotas)
  if (added === null) throw await notFoundOrNotOwner(ports, id)
  return added
}

/** A share of an archive. */
export interface ImportShare extends Requester {
  readonly origin: ShareId
  readonly tool: string
  readonly title: string
  readonly data: DataContent
  /** `null` if it never expires. */
  readonly expiresAt: Date | null
  readonly principal: EventPrincipal | null
  /** How often it may be viewed; `null` for a share without a gate. */
  readonly viewsMax: number | null
  /** The rules of the secrets that the owner publishes knowingly. */
  readonly allowedSecrets: readonly string[]
}

/**
 * Publishes a share of an archive until the time that it had; changes nothing if the owner has it. The link is always
 * new: under one that is gone, whoever deleted or withdrew the share would see it come back.
 * @throws DomainError like `createShare`.
 */
export async function importShare(
  ports: Ports,
  { ownerId, plan, limits, origin, tool, title, expiresAt, principal, viewsMax, ...given }: ImportShare,
): Promise<ImportedId<ShareId>> {
  const gate = viewsMax === null ? null : { passwordHash: null, viewsMax }
  if (gate !== null) checkGate({ password: null, viewsMax })
  const data = await digestData(ports, given.data, plan, limits)
  const from: ShareOrigin = { ownerId, origin, sha256: data.digest.sha256 }
  const known = await findImportedShare(ports, from)
  if (known !== null) return { id: known, existed: true }
  if (ports.diskIsFull()) throw diskFull()
  const { allowedSecrets } = given
  const id = gate === null ? ports.ids.share() : ports.ids.gatedShare()
  const fields = { id, ownerId, tool, title, data, allowedSecrets, gate }
  const draft = draftShare({ ...fields, expiryBy: 'owner', importDigest: importDigestOf(ports, from) })
  const quotas = { live: shareQuota(plan, limits), storage: storageQuota(plan, limits) }
  // Never is beyond a plan whose shares expire.
  const moment = expiresAt ?? (limits.shareTtlDays === null ? null : new Date(Date.UTC(9999, 11, 31)))
  const expiryAt = (now: Date): Date | null =>
    moment === null ? null : decideExpiry({ kind: 'at', moment }, plan, limits, now)
  try {
    await ports.shares.add(draft, expiryAt, null, quotas, principal ?? ownerPrincipal)
  } catch (error) {
    const other = error instanceof IdTaken ? await findImportedShare(ports, from) : null
    if (other === null) throw error
    return { id: other, existed: true }
  }
  return { id, existed: false }
}
