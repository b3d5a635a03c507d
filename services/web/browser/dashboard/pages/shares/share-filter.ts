/** Filters the list; an empty tool means all. */
export interface ShareFilter {
  readonly tool: string
  readonly state: 'live' | 'expired' | 'all'
}

/** Reads the filter from the query string. */
export function readShareFilter(search: URLSearchParams): ShareFilter {
  const state = search.get('state')
  return {
    tool: search.get('tool') ?? '',
    state: state === 'expired' || state === 'all' ? state : 'live',
  }
}

/** Writes the filter as a query string without default values. */
export function writeShareFilter({ tool, state }: ShareFilter): URLSearchParams {
  const query = new URLSearchParams()
  if (state !== 'live') query.set('state', state)
  if (tool !== '') query.set('tool', tool)
  return query
}
