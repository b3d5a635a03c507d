/** Caches no page. */
export const createPageCache = () => ({ get: () => undefined, set() {} })
