/** No snippet is remembered. */
export const createSnippetMemory = () => ({ find: () => null, keep() {}, count() {} })
