import { DomainError, type FieldError, validationFailed } from '#libs/core/domain-error.js'
import { textErrors } from '#libs/core/field-rules.js'
import type { ListPosition } from '#libs/core/page.js'
import type { CheckId, OwnerId, SnippetId } from './ids.js'
import { checkFields, type Principal, type Snippet, type SnippetChange } from './snippet.js'
import type { DataDigest, DigestedData } from './stored-data.js'

/** The verdict on a candidate, as the engine gives it. */
export type Verdict = 'same' | 'allowed' | 'breaks' | 'new'

/** What became of a candidate: `accepted` at once, or decided by someone, or by time. */
export type CheckState = 'pending' | 'accepted' | 'approved' | 'rejected' | 'expired'

/** Which verdicts make a candidate the next version at once; `allowed` includes `same`. */
export type Accept = 'same' | 'allowed' | 'never'

/** What a candidate was judged as. */
export type JudgedAs = 'json' | 'ndjson' | 'csv' | 'text'

/** How a candidate was judged, and by what. */
export interface Judgement {
  readonly verdict: Verdict
  readonly as: JudgedAs
  readonly breakCount: number
  readonly allowedCount: number
  /** A JSON array of the first breaks; empty text for none, and in lists. */
  readonly breaks: string
  /** Whether there are more breaks than are kept. */
  readonly truncated: boolean
  /** The version that was the baseline; 0 for none. */
  readonly baselineVersion: number
  /** That of the contract; 0 for none. */
  readonly contractVersion: number
}

/** One judgement of a candidate, and what became of it. */
export interface Check {
  readonly id: CheckId
  readonly ownerId: OwnerId
  /** `null` if there is no snippet of this name yet. */
  readonly snippetId: SnippetId | null
  /** Of the snippet, when the check was made. */
  readonly name: string | null
  readonly state: CheckState
  readonly judgement: Judgement
  readonly tool: string
  readonly title: string
  /** Of the candidate. */
  readonly digest: DataDigest
  readonly createdAt: Date
  /** Who sent it; `null` if unknown. */
  readonly principal: Principal | null
  /** The version that the candidate became, or that has its bytes; `null` for none. */
  readonly version: number | null
  /** `null` while it is pending, and if nobody decided. */
  readonly decidedAt: Date | null
  readonly decidedBy: Principal | null
  /** Of who decided. */
  readonly note: string | null
  /** The address of the job that sent it. */
  readonly source: string | null
}

/** The snippet that a candidate is for; one with a name may not exist yet. */
export type CheckTarget = { readonly id: SnippetId } | { readonly name: string }

/** A judged candidate. */
export interface CheckDraft {
  readonly id: CheckId
  readonly ownerId: OwnerId
  readonly target: CheckTarget
  /** `null` for that of the snippet. */
  readonly tool: string | null
  /** `null` for that of the snippet, or its name. */
  readonly title: string | null
  readonly data: DigestedData
  readonly judgement: Judgement
  /** The snippet whose version was the baseline: its name may be another's by now. `null` for any. */
  readonly baselineId: SnippetId | null
  readonly accept: Accept
  readonly principal: Principal | null
  readonly source: string | null
}

/** A decision about a pending candidate. */
export interface CheckDecision {
  readonly approve: boolean
  readonly note: string | null
  readonly principal: Principal | null
  /** The id of the snippet that an approval may create. */
  readonly newSnippet: SnippetId
}

/** The filter and page of a list of checks. */
export interface CheckFilter {
  readonly ownerId: OwnerId
  /** Checks of the snippet, and those of the name while no snippet had it; `null` for all pending ones of the owner. */
  readonly of: { readonly snippetId: SnippetId | null; readonly name: string | null } | null
  /** `null` for all. */
  readonly state: CheckState | null
  readonly after: ListPosition | null
  readonly itemsMax: number
}

/** A pending check expires this many days after it was made. */
export const pendingDays = 30
/** A check is forgotten this many days after it was made. */
export const checkDays = 365
/** How many pending checks a snippet has at most: a new one expires the oldest. */
export const pendingMax = 100

const breaksMax = 100
const breaksBytesMax = 65_536
const noteMax = 500
const sourceMax = 2_000

const dayMs = 86_400_000

/** When a pending check expires, or one that is not pending is forgotten. */
export function endOf({ state, createdAt }: Pick<Check, 'state' | 'createdAt'>): Date {
  const days = state === 'pending' ? pendingDays : checkDays
  return new Date(createdAt.getTime() + days * dayMs)
}

/** The strong ETag of a check: only what became of it changes. */
export function checkEtag({ digest, state, decidedAt, createdAt }: Check): string {
  return `${digest.sha256.slice(0, 32)}.${state}.${(decidedAt ?? createdAt).getTime()}`
}

/** Of the first breaks of a JSON array, those that fit: one that is too large leaves room for those after it. */
function keptBreaks({ breaks, truncated }: Judgement): Pick<Judgement, 'breaks' | 'truncated'> {
  const all: readonly unknown[] = breaks === '' ? [] : JSON.parse(breaks)
  const kept: string[] = []
  let bytes = 1
  for (const text of all.slice(0, breaksMax).map((one) => JSON.stringify(one))) {
    const more = bytes + Buffer.byteLength(text) + 1
    if (more > breaksBytesMax) continue
    bytes = more
    kept.push(text)
  }
  const isTruncated = truncated || kept.length < all.length
  return { breaks: kept.length === 0 ? '' : `[${kept.join(',')}]`, truncated: isTruncated }
}

function isAddress(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && text.length <= sourceMax
}

const sourceError: FieldError = {
  pointer: '/source',
  code: 'invalid_format',
  detail: `source must be an address that begins with https:// or http://, of at most ${sourceMax} characters.`,
}

/**
 * A valid draft, with as many breaks as are kept.
 * @throws DomainError `validation_failed` that lists every problem.
 */
export function draftCheck(draft: CheckDraft): CheckDraft {
  checkFields({
    name: 'name' in draft.target ? draft.target.name : undefined,
    tool: draft.tool ?? undefined,
    title: draft.title ?? undefined,
  })
  if (draft.source !== null && !isAddress(draft.source)) throw validationFailed([sourceError])
  return { ...draft, judgement: { ...draft.judgement, ...keptBreaks(draft.judgement) } }
}

/**
 * A valid note; `null` for none.
 * @throws DomainError `validation_failed`.
 */
export function noteOf(text: string): string | null {
  if (text.trim() === '') return null
  const errors = textErrors('/note', text.replaceAll(/[\r\n\t]/g, ' '), noteMax)
  if (errors.length > 0) throw validationFailed(errors)
  return text
}

/** Whether a candidate becomes the next version at once. */
export function isAccepted({ judgement, accept }: CheckDraft): boolean {
  const { verdict, baselineVersion } = judgement
  if (baselineVersion === 0 || accept === 'never') return false
  return verdict === 'same' || (verdict === 'allowed' && accept === 'allowed')
}

/**
 * The check of a draft.
 * @param snippet the snippet that it is for; `null` if there is none of the name yet.
 * @throws DomainError `validation_failed` if a candidate for a new snippet has no tool.
 */
export function newCheck(draft: CheckDraft, snippet: Snippet | null, createdAt: Date): Check {
  const { id, ownerId, target, data, judgement, principal, source } = draft
  const name = snippet === null && 'name' in target ? target.name : (snippet?.name ?? null)
  const tool = draft.tool ?? snippet?.tool ?? ''
  const title = draft.title ?? snippet?.title ?? name ?? ''
  checkFields({ tool, title })
  const decision = { version: null, decidedAt: null, decidedBy: null, note: null }
  const common = { judgement, tool, title, digest: data.digest, createdAt, principal, source, ...decision }
  return { id, ownerId, snippetId: snippet?.id ?? null, name, state: 'pending', ...common }
}

/** A check that is accepted at once. It breaks nothing, so it has no breaks that take room. */
export function acceptedAs(check: Check, version: number): Check {
  return { ...check, judgement: { ...check.judgement, breaks: '' }, state: 'accepted', version }
}

/** How many bytes of an owner's storage a check takes besides its candidate, until it is deleted. */
export function breaksBytes({ judgement }: Pick<Check, 'judgement'>): number {
  return Buffer.byteLength(judgement.breaks)
}

/** The change that makes a candidate the next version of its snippet. */
export function changeOf(
  { id, tool, title }: Check,
  data: DigestedData,
  principal: Principal | null,
): SnippetChange {
  return { tool, title, data, principal: byCheck(principal, id) }
}

/** Who made a candidate a version, with the check beside, which has its sender and job. */
export function byCheck(principal: Principal | null, checkId: CheckId): Principal | null {
  return principal === null ? null : { ...principal, checkId }
}

/** The check after a decision. */
export function decided(
  check: Check,
  { approve, note, principal }: CheckDecision,
  decidedAt: Date,
  became: { readonly snippetId: SnippetId; readonly version: number } | null,
): Check {
  const state = approve ? 'approved' : 'rejected'
  return { ...check, ...became, state, decidedAt, decidedBy: principal, note }
}

/** 404: the check does not exist, or no longer. */
export function checkNotFound(): DomainError {
  return new DomainError('not-found', 'not_found', 'This check does not exist.')
}

function changedSince(what: string): DomainError {
  const message = `${what} has changed since this output was judged. Send the output again to have it judged by the current version.`
  return new DomainError('conflict', 'baseline_changed', message)
}

/** 409: the version that a candidate was judged by is not current. */
export function baselineChanged(): DomainError {
  return changedSince('The snippet')
}

/** 409: the version or the contract that a candidate was judged by is not current. */
export function judgedByOthers(): DomainError {
  return changedSince('The snippet or its contract')
}

/** 409: the check is not pending. */
export function checkDecided(state: CheckState): DomainError {
  const message = `This check is ${state} already. Send the output again for a new one.`
  return new DomainError('conflict', 'check_decided', message, { state })
}
