/** The characters of a token that is read: far more than any server takes in a header. */
export const tokenLengthMax = 4_194_304

/** What stands before a token that was copied from a request. */
const scheme = /^(?:Authorization:[ \t]*)?Bearer[ \t]+/i

/** A token without white space around it and the name of the scheme before it, and where it starts in the text. */
export function tokenIn(text: string): { readonly token: string; readonly start: number } {
  const trimmed = text.trim()
  const [before = ''] = scheme.exec(trimmed) ?? []
  return {
    token: trimmed.slice(before.length),
    start: text.length - text.trimStart().length + before.length,
  }
}
