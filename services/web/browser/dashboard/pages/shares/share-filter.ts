import type { ShareFilter } from '../../api/shares.js'

/** The filter that the query of an address names. */
export function readShareFilter(search: URLSearchParams): ShareFilter {
  const state = search.get('state')
  return {
    tool: search.get('tool') ?? '',
    state: state === 'expired' || state === 'all' ? state : 'live',
  }
}

/** The query of the address of a filtered list; what is usual is left out. */
export function writeShareFilter({ tool, state }: ShareFilter): URLSearchParams {
  const query = new URLSearchParams()
  if (state !== 'live') query.set('state', state)
  if (tool !== '') query.set('tool', tool)
  return query
}
