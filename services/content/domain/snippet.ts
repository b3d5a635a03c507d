import { DomainError, type FieldError, validationFailed } from '#libs/core/domain-error.js'
import { textErrors, toolErrors } from '#libs/core/field-rules.js'
import { type PlanName, planTitles } from '#shared/core/plan.js'
import { documentId, type OwnerId, ownerId, type SnippetId, snippetId } from './ids.js'
import { type DataDigest, type DataLocation, type DigestedData, etagOf } from './stored-data.js'

/** A saved output. */
export interface Snippet {
  readonly id: SnippetId
  readonly ownerId: OwnerId
  /** Unique for its owner; `null` for none. */
  readonly name: string | null
  readonly tool: string
  readonly title: string
  readonly tags: readonly string[]
  readonly digest: DataDigest
  readonly location: DataLocation
  /** Starts at 1 and grows with every change. */
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Who made a change, in the terms of account events. */
export interface Principal {
  readonly kind: 'owner' | 'api_key' | 'ci_job'
  /** The id of the API key or trusted publisher; `null` for the owner. */
  readonly id: string | null
  /** Its name when it made the change; `null` if unknown. */
  readonly label: string | null
  /** The check whose candidate became the version, which knows its job; absent for none. */
  readonly checkId?: string
}

/** A principal as text; the previous release reads the first three. */
export function principalToText({ kind, id, label, checkId }: Principal): string {
  return JSON.stringify(checkId === undefined ? [kind, id, label] : [kind, id, label, checkId])
}

/** The principal in a text from `principalToText`. */
export function principalFromText(text: string): Principal {
  const [kind, id, label, checkId] = JSON.parse(text) as [
    Principal['kind'],
    string | null,
    string | null,
    string?,
  ]
  return { kind, id, label, ...(checkId === undefined ? {} : { checkId }) }
}

/** The past of an imported snippet. */
export interface SnippetPast {
  /** The number of its current version. */
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A new snippet; the store's clock sets its times, unless it has a past. */
export interface SnippetDraft {
  readonly id: SnippetId
  readonly ownerId: OwnerId
  readonly name: string | null
  readonly tool: string
  readonly title: string
  readonly tags: readonly string[]
  readonly data: DigestedData
  /** Who makes it; absent if unknown. */
  readonly principal?: Principal | null | undefined
  /** Whether who makes it may give it a name that a contract uses for its schema. */
  readonly mayApprove: boolean
  /** Times in the future become the store's now. */
  readonly past?: SnippetPast | undefined
}

/** The changes of a snippet; absent fields stay. */
export interface SnippetChange {
  /** `null` removes it. */
  readonly name?: string | null | undefined
  readonly tool?: string | undefined
  readonly title?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly data?: DigestedData | undefined
  /** Who makes the change; absent if unknown. */
  readonly principal?: Principal | null | undefined
}

/** The format of a snippet's name. */
export const namePattern = /^[a-z0-9][a-z0-9._-]{0,99}$/

const nameError: FieldError = {
  pointer: '/name',
  code: 'invalid_format',
  detail: 'name must be 1 to 100 characters from a-z 0-9 . _ - and start with a letter or digit.',
}

const titleMax = 200
const tagMax = 50
const tagsMax = 20

function tagErrors(tags: readonly string[]): FieldError[] {
  const many = { pointer: '/tags', code: 'too_many', detail: `tags must have at most ${tagsMax} items.` }
  return [
    ...(tags.length > tagsMax ? [many] : []),
    ...tags.flatMap((tag, index) => textErrors(`/tags/${index}`, tag, tagMax)),
  ]
}

/** Tags trimmed and without duplicates, in their order. */
export function normaliseTags(tags: readonly string[]): readonly string[] {
  return [...new Set(tags.map((tag) => tag.trim()))]
}

/**
 * Checks the fields that are given.
 * @throws DomainError `validation_failed` that lists every problem.
 */
export function checkFields(fields: {
  readonly name?: string | null | undefined
  readonly tool?: string | undefined
  readonly title?: string | undefined
  readonly tags?: readonly string[] | undefined
}): void {
  const errors = [
    ...(fields.name == null || namePattern.test(fields.name) ? [] : [nameError]),
    ...(fields.tool === undefined ? [] : toolErrors(fields.tool)),
    ...(fields.title === undefined ? [] : textErrors('/title', fields.title, titleMax)),
    ...(fields.tags === undefined ? [] : tagErrors(fields.tags)),
  ]
  if (errors.length > 0) throw validationFailed(errors)
}

/**
 * A valid draft.
 * @throws DomainError `validation_failed` that lists every problem.
 */
export function draftSnippet(draft: SnippetDraft): SnippetDraft {
  const tags = normaliseTags(draft.tags)
  checkFields({ name: draft.name, tool: draft.tool, title: draft.title, tags })
  return { ...draft, tags }
}

/**
 * A valid change.
 * @throws DomainError `validation_failed` that lists every problem.
 */
export function draftChange(change: SnippetChange): SnippetChange {
  const tags = change.tags === undefined ? undefined : normaliseTags(change.tags)
  checkFields({ name: change.name, tool: change.tool, title: change.title, tags })
  return { ...change, tags }
}

/** The location of stored data. */
export function locationOf(data: DigestedData): DataLocation {
  return data.kind === 'inline' ? { kind: 'inline' } : { kind: 'document', id: data.id }
}

/** The snippet made from a draft. */
export function newSnippet(draft: SnippetDraft, now: Date): Snippet {
  const { id, ownerId: owner, name, tool, title, tags, data, past } = draft
  const times = {
    createdAt: past === undefined ? now : earlier(past.createdAt, now),
    updatedAt: past === undefined ? now : earlier(past.updatedAt, now),
  }
  const common = { digest: data.digest, location: locationOf(data), version: past?.version ?? 1, ...times }
  return { id, ownerId: owner, name, tool, title, tags, ...common }
}

/** The earlier of two times. */
export function earlier(one: Date, other: Date): Date {
  return one.getTime() < other.getTime() ? one : other
}

/** The snippet after a change. */
export function changeSnippet(snippet: Snippet, change: SnippetChange, now: Date): Snippet {
  return {
    ...snippet,
    name: change.name === undefined ? snippet.name : change.name,
    tool: change.tool ?? snippet.tool,
    title: change.title ?? snippet.title,
    tags: change.tags ?? snippet.tags,
    digest: change.data?.digest ?? snippet.digest,
    location: change.data === undefined ? snippet.location : locationOf(change.data),
    version: snippet.version + 1,
    updatedAt: now,
  }
}

/**
 * The ids and ETags of these snippets as one text, which differs if they, their order, or anything in one of
 * them differs.
 */
export function etagsOf(snippets: readonly Snippet[]): string {
  return snippets.map((snippet) => `${snippet.id}.${etagOf(snippet)}`).join(' ')
}

/** A snippet as text, for the stored response of an idempotency key. */
export function snippetToText(snippet: Snippet): string {
  return JSON.stringify(snippet)
}

/** The snippet in a text from `snippetToText`. */
export function snippetFromText(text: string): Snippet {
  const kept = JSON.parse(text) as Snippet & { createdAt: string; updatedAt: string }
  const location: DataLocation =
    kept.location.kind === 'inline' ? kept.location : { kind: 'document', id: documentId(kept.location.id) }
  return {
    ...kept,
    id: snippetId(kept.id),
    // The previous release had no names.
    name: kept.name ?? null,
    ownerId: ownerId(kept.ownerId),
    location,
    createdAt: new Date(kept.createdAt),
    updatedAt: new Date(kept.updatedAt),
  }
}

/** 404: the snippet does not exist. */
export function snippetNotFound(): DomainError {
  return new DomainError('not-found', 'not_found', 'This snippet does not exist.')
}

/** 409: the owner has another snippet with this name. */
export function nameTaken(name: string): DomainError {
  const message = `You already have a snippet named ${name}. Choose another name, or replace it with PUT /api/snippets/@${name}.`
  return new DomainError('conflict', 'name_taken', message)
}

/** 403: the plan's limit is reached. */
export function snippetLimitReached(plan: PlanName, limit: number): DomainError {
  const message = `You've reached the ${planTitles[plan]} plan's limit of ${limit} snippets. Delete one or upgrade to Pro.`
  return new DomainError('forbidden', 'snippet_limit_reached', message, { limit, plan })
}

/**
 * The words of a text: runs of letters, digits and marks, compatibility-normalized and lower-cased, without
 * duplicates.
 */
export function searchWords(...texts: readonly string[]): readonly string[] {
  const words = texts.flatMap(
    (text) =>
      text
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [],
  )
  return [...new Set(words)]
}
