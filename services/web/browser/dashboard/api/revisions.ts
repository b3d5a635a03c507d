import { type Api, type ApiResult, withQuery } from './api.js'
import type { ListPage } from './cursor-list.js'
import type { Snippet } from './snippets.js'

/** Query key of the versions of a snippet. */
export function revisionsKey(id: string): readonly [string, string] {
  return ['revisions', id]
}

/** A version of a snippet, without its data. */
export interface Revision {
  readonly version: number
  /** Whether the snippet is this version now. */
  readonly current: boolean
  readonly tool: string
  readonly title: string
  readonly tags: readonly string[]
  readonly size_bytes: number
  readonly created_at: string
  /** Who made it; `null` if that was not recorded. */
  readonly principal: {
    readonly kind: string
    readonly id: string | null
    readonly label: string | null
  } | null
}

/** A version as an item of a list. */
export interface ListedRevision extends Revision {
  readonly id: string
}

const pathOf = (id: string, version: number | string): string =>
  `/api/snippets/${encodeURIComponent(id)}/revisions/${encodeURIComponent(version)}`

/** The path of the data of a version. */
export function revisionRawPath(id: string, version: number): string {
  return `${pathOf(id, version)}/raw`
}

/** One page of the versions of a snippet, newest first. */
export async function listRevisions(
  api: Api,
  id: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ListPage<ListedRevision>> {
  const path = `/api/snippets/${encodeURIComponent(id)}/revisions`
  const { body } = await api.send<{ revisions: readonly Revision[]; next_cursor: string | null }>({
    path: withQuery(path, { limit: 10, cursor }),
    signal,
  })
  const items = body.revisions.map((revision) => ({ ...revision, id: String(revision.version) }))
  return { items, nextCursor: body.next_cursor }
}

/** A version, without its data. */
export async function getRevision(
  api: Api,
  id: string,
  version: string,
  signal?: AbortSignal,
): Promise<Revision> {
  const path = withQuery(pathOf(id, version), { include_data: 'false' })
  return (await api.send<Revision>({ path, signal })).body
}

/** Makes a new version of what an earlier one was, unless the snippet has changed since `etag`. */
export function restoreRevision(
  api: Api,
  id: string,
  version: number,
  etag: string | null,
): Promise<ApiResult<Snippet>> {
  const headers = etag === null ? {} : { 'If-Match': etag }
  const path = `/api/snippets/${encodeURIComponent(id)}/restore`
  return api.send({ method: 'POST', path, body: { version }, headers })
}
