import { readableSize } from '#libs/core/readable-text.js'

/** What usage is of: one of them, and several. */
const nouns: Readonly<Record<string, readonly [one: string, several: string]>> = {
  snippets: ['snippet', 'snippets'],
  shares: ['share', 'shares'],
  history: ['history entry', 'history entries'],
  api_keys: ['API key', 'API keys'],
  trusted_publishers: ['trusted publisher', 'trusted publishers'],
}

/**
 * Usage in words, such as `1.1 MB of 100 GB stored` or `400 snippets, no limit`.
 * @param name that of the API; a newer server may have others than these.
 * @param limit no number if there is none.
 */
export function usageLine(name: string, used: number, limit: unknown): string {
  const hasLimit = typeof limit === 'number'
  if (name.endsWith('_bytes')) {
    const what = name.slice(0, -'_bytes'.length).replaceAll('_', ' ')
    return hasLimit
      ? `${readableSize(used)} of ${readableSize(limit)} ${what}\n`
      : `${readableSize(used)} ${what}, no limit\n`
  }
  const words = name.replaceAll('_', ' ')
  const [one, several] = nouns[name] ?? [words, words]
  const count = used.toLocaleString('en')
  if (!hasLimit) return `${count} ${used === 1 ? one : several}, no limit\n`
  return `${count} of ${limit.toLocaleString('en')} ${limit === 1 ? one : several}\n`
}
