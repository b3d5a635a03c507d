// Imported at run time: there may be no build yet.
const real = await import(
  new URL('../../../dist/gateway/features/snippets/page-cache.js', import.meta.url).href
)

/** Caches no page. */
export const createPageCache = () => ({ get: () => undefined, set() {} })

export const { etagToCompare, nextCached } = real
