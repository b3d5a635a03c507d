import { pointerTo } from '#libs/core/json-pointer.js'

/** The path of a share's data: as it is or to be saved, and of a single value under `key` that string alone. */
export function rawPath(id: string, key: string | null, download: boolean): string {
  const search = new URLSearchParams()
  if (key !== null) search.set('pointer', pointerTo([key]))
  if (download) search.set('download', 'true')
  const query = search.size === 0 ? '' : `?${search}`
  return `/api/shares/${id}/raw${query}`
}
