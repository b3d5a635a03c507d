import { type Api, type ApiResult, withQuery } from './api.js'
import type { ListPage } from './cursor-list.js'

/** By what lists of snippets are kept; to be invalidated when snippets come or go. */
export const snippetsKey = ['snippets'] as const

/** By what a single snippet is kept. */
export function snippetKey(id: string): readonly [string, string] {
  return ['snippet', id]
}

/** A snippet without its data. */
export interface Snippet {
  readonly id: string
  /** Unique among the snippets of its owner; absent where it has none. */
  readonly name?: string
  readonly tool: string
  readonly title: string
  readonly tags: readonly string[]
  readonly size_bytes: number
  readonly created_at: string
  readonly updated_at: string
}

/** Which snippets of the list; an empty value does not filter. */
export interface SnippetFilter {
  readonly tool: string
  /** All of them. */
  readonly tags: readonly string[]
  /** Words of title and tags. */
  readonly search: string
}

/** What may be changed of a snippet here. */
export interface SnippetChange extends Partial<Pick<Snippet, 'tool' | 'title' | 'tags'>> {
  /** `null` takes it away. */
  readonly name?: string | null
}

const pathOf = (id: string): string => `/api/snippets/${encodeURIComponent(id)}`

/** The path of the bytes of a snippet's data. */
export function snippetRawPath(id: string): string {
  return `${pathOf(id)}/raw`
}

/** Part of the snippets, newest first. */
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

/** A snippet without its data, and the tag by which a change is made to this very state. */
export function getSnippet(api: Api, id: string, signal?: AbortSignal): Promise<ApiResult<Snippet>> {
  return api.send({ path: withQuery(pathOf(id), { include_data: 'false' }), signal })
}

/** Changes a snippet, unless it has been changed since the state with this tag. */
export function changeSnippet(
  api: Api,
  id: string,
  change: SnippetChange,
  etag: string | null,
): Promise<ApiResult<Snippet>> {
  const headers = etag === null ? {} : { 'If-Match': etag }
  return api.send({ method: 'PATCH', path: pathOf(id), body: change, headers })
}

/** Deletes a snippet, also when the page is being left. */
export async function deleteSnippet(api: Api, id: string): Promise<void> {
  await api.send({ method: 'DELETE', path: pathOf(id), keepalive: true })
}
