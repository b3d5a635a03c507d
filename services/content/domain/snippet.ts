import { DomainError } from '#libs/core/domain-error.js'
import type { ListPosition } from '#libs/core/page.js'
import { type PlanName, planTitles } from '#shared/core/plan.js'
import { checkFields, normaliseTags } from './fields.js'
import { documentId, type OwnerId, ownerId, type SnippetId, snippetId } from './ids.js'
import type { Principal } from './revision.js'
import { type DataDigest, type DataPlace, type DigestedData, etagOf } from './stored-data.js'

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
  readonly place: DataPlace
  /** Starts at 1 and grows with every change. */
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
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
export function placeOf(data: DigestedData): DataPlace {
  return data.kind === 'inline' ? { kind: 'inline' } : { kind: 'document', id: data.id }
}

/** The snippet made from a draft. */
export function newSnippet(draft: SnippetDraft, now: Date): Snippet {
  const { id, ownerId: owner, name, tool, title, tags, data, past } = draft
  const times = {
    createdAt: past === undefined ? now : earlier(past.createdAt, now),
    updatedAt: past === undefined ? now : earlier(past.updatedAt, now),
  }
  const common = { digest: data.digest, place: placeOf(data), version: past?.version ?? 1, ...times }
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
    place: change.data === undefined ? snippet.place : placeOf(change.data),
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
  const place: DataPlace =
    kept.place.kind === 'inline' ? kept.place : { kind: 'document', id: documentId(kept.place.id) }
  return {
    ...kept,
    id: snippetId(kept.id),
    // The previous release had no names.
    name: kept.name ?? null,
    ownerId: ownerId(kept.ownerId),
    place,
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

/** The words of a search; one that consists only of symbols, such as "--", becomes a word that nothing matches. */
export function wantedWords(query: string): readonly string[] {
  const words = searchWords(query)
  return words.length === 0 && query.trim() !== '' ? [''] : words
}

/** A snippet of an owner. */
export interface SnippetKey {
  readonly ownerId: OwnerId
  readonly id: SnippetId
}

/** A snippet by its owner's name for it. */
export interface SnippetNameKey {
  readonly ownerId: OwnerId
  readonly name: string
}

/** A read of a snippet by its owner. */
export interface SnippetRead extends SnippetKey {
  readonly includeData: boolean
}

/** The filter and page of a list. */
export interface SnippetFilter {
  readonly ownerId: OwnerId
  readonly tool: string | null
  /** Tags that a snippet must all have. */
  readonly tags: readonly string[]
  /** Search words that must all be in the title or the tags. */
  readonly words: readonly string[]
  readonly after: ListPosition | null
  readonly itemsMax: number
  readonly includeData: boolean
  /** The page ends with the item by which its data exceeds this many bytes. */
  readonly dataBytesMax: number
}
