/** The characters of a token that is read: far more than any server takes in a header. */
export const tokenLengthMax = 4_194_304

/** What stands before the blanks and the token that was copied from a request. */
const scheme = /^(?:Authorization:[ \t]{0,100})?Bearer(?=[ \t])/i

/** A token without white space around it and the name of the scheme before it, and where it starts in the text. */
export function tokenIn(text: string): { readonly token: string; readonly start: number } {
  const trimmed = text.trim()
  const [name = ''] = scheme.exec(trimmed) ?? []
  // A greedy class in the expression would overflow its stack on millions of blanks.
  const before = name === '' ? 0 : name.length + trimmed.slice(name.length).search(/[^ \t]/)
  return { token: trimmed.slice(before), start: text.length - text.trimStart().length + before }
}
