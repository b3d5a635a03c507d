/** No page is cached. */
export const createPageCache = () => ({ get: () => undefined, set() {} })
