/** Changes that a page lists at most; all of them are counted. */
export const maxChanges = 10_000
