/** A pattern that finds this very text anywhere, whatever its case unless that counts. */
export function wantedPattern(text: string, caseSensitive: boolean): RegExp {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(literal, caseSensitive ? 'gu' : 'giu')
}
