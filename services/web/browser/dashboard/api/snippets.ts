import { type Api, type ApiResult, withQuery } from './api.js'
import type { ListPage } from './cursor-list.js'

/** Query key of all snippet lists. */
export const snippetsKey = ['snippets'] as const

/** Query key of single snippets. */
export function snippetKey(id: string): readonly [string, string] {
  return ['snippet', id]
}

/** A snippet without its data. */
export interface Snippet {
  readonly id: string
  /** Unique among the owner's snippets; absent if it has none. */
  readonly name?: string
  readonly tool: string
  readonly title: string
  readonly tags: readonly string[]
  readonly size_bytes: number
  readonly created_at: string
  readonly updated_at: string
  /** How many secrets it seems to hold; only in the response to a create. */
  readonly would_warn_if_shared?: number
}

/** Filters the list; an empty value does not filter. */
export interface SnippetFilter {
  readonly tool: string
  /** A snippet must have all of them. */
  readonly tags: readonly string[]
  /** Words in title or tags. */
  readonly search: string
}

/** The fields that can be edited here. */
export interface SnippetChange extends Partial<Pick<Snippet, 'tool' | 'title' | 'tags'>> {
  /** `null` removes it. */
  readonly name?: string | null
}

const pathOf = (id: string): string => `/api/snippets/${encodeURIComponent(id)}`

/** The path of a snippet's data. */
export function snippetRawPath(id: string): string {
  return `${pathOf(id)}/raw`
}

/** One page of snippets, newest first. */
export async function listSnippets(
  api: Api,
  { tool, tags, search }: SnippetFilter,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ListPage<Snippet>> {
  const query = { tool, tag: tags, q: search.trim(), include_data: 'false', limit: 30, cursor }
  const { body } = await api.send<{ snippets: readonly Snippet[]; next_cursor: string | null }>({
    path: withQuery('/api/snippets', query),
    signal,
  })
  return { items: body.snippets, nextCursor: body.next_cursor }
}

/** A snippet without its data, and its entity tag for conditional changes. */
export function getSnippet(api: Api, id: string, signal?: AbortSignal): Promise<ApiResult<Snippet>> {
  return api.send({ path: withQuery(pathOf(id), { include_data: 'false' }), signal })
}

/** Changes a snippet unless it has changed since `etag`. */
export function changeSnippet(
  api: Api,
  id: string,
  change: SnippetChange,
  etag: string | null,
): Promise<ApiResult<Snippet>> {
  const headers = etag === null ? {} : { 'If-Match': etag }
  return api.send({ method: 'PATCH', path: pathOf(id), body: change, headers })
}

/** Deletes a snippet, even while the page unloads. */
export async function deleteSnippet(api: Api, id: string): Promise<void> {
  await api.send({ method: 'DELETE', path: pathOf(id), keepalive: true })
}
