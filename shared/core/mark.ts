/** The mark: two sheets, one of them with a bracket cut out, as paths in a square of 16. */
export const markPaths = {
  behind: 'M7 1h6a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2z',
  sheet: 'M3 4h6a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z',
  bracket: 'M7.4 6.6c-2 0-.8 2.7-2.6 2.9 1.8.2.6 2.9 2.6 2.9',
} as const
