import { pointerTo } from '#engine/json-pointer.js'

/** The path of a share's data, for viewing or download; `key` selects a single value. */
export function rawPath(id: string, key: string | null, download: boolean): string {
  const search = new URLSearchParams()
  if (key !== null) search.set('pointer', pointerTo([key]))
  if (download) search.set('download', 'true')
  const query = search.size === 0 ? '' : `?${search}`
  return `/api/shares/${id}/raw${query}`
}
