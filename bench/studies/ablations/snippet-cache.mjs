/** Caches no snippet. */
export const createSnippetCache = () => ({ get: () => undefined, set() {} })
