/** A pattern that matches exactly this text, ignoring case unless `caseSensitive`. */
export function wantedPattern(text: string, caseSensitive: boolean): RegExp {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(literal, caseSensitive ? 'gu' : 'giu')
}
