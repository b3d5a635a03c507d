/** No snippet is cached. */
export const createSnippetMemory = () => ({ find: () => null, keep() {}, count() {} })
