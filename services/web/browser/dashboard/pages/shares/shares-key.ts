/** By what lists of shares are kept; to be invalidated when shares come or go. */
export const sharesKey = ['shares'] as const
