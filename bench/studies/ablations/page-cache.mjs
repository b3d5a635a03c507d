/** No page is cached. */
export const createPageMemory = () => ({ find: () => null, keep() {}, count() {} })
