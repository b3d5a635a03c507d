// Imported at run time: there may be no build yet.
const real = await import(
  new URL('../../../dist/gateway/features/shares/share-cache.js', import.meta.url).href
)

export const { createLoadShare } = real

/** Reads every share from content. */
export function createShareCache(now) {
  const cache = real.createShareCache(now)
  const uncached = (resolve) => (id, load) => {
    cache.forget(id)
    return resolve(id, load)
  }
  return {
    ...cache,
    find: () => null,
    resolve: uncached(cache.resolve),
    resolveHead: uncached(cache.resolveHead),
  }
}
