// Imported at run time: there may be no build yet.
const real = await import(new URL('../../../dist/gateway/auth/caller-cache.js', import.meta.url).href)

export const { callerTtlMs } = real

/** Looks up every caller. */
export const createCallerCache = () => ({
  resolve: async (_credential, load) => (await load()).caller,
  forget() {},
  forgetAll() {},
})
