/** No page is remembered. */
export const createPageMemory = () => ({ find: () => null, keep() {}, count() {} })
