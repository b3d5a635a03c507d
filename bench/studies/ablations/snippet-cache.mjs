/** No snippet is cached. */
export const createSnippetCache = () => ({ get: () => undefined, set() {} })
