/** Filters the list; an empty value does not filter. */
export interface SnippetFilter {
  readonly tool: string
  /** A snippet must have all of them. */
  readonly tags: readonly string[]
  /** Words in title or tags. */
  readonly search: string
}

/** Reads the filter from the query string. */
export function readFilter(search: URLSearchParams): SnippetFilter {
  return {
    tool: search.get('tool') ?? '',
    tags: [...new Set(search.getAll('tag').filter((tag) => tag.trim() !== ''))],
    search: search.get('q') ?? '',
  }
}

/** Writes the filter as a query string. */
export function writeFilter({ tool, tags, search }: SnippetFilter): URLSearchParams {
  const query = new URLSearchParams()
  if (search !== '') query.set('q', search)
  if (tool !== '') query.set('tool', tool)
  for (const tag of tags) query.append('tag', tag)
  return query
}

/** Whether any filter is set. */
export function isFiltering({ tool, tags, search }: SnippetFilter): boolean {
  return tool !== '' || tags.length > 0 || search.trim() !== ''
}
