/** The words of a text: runs of letters, digits and marks, compatibility-normalised and lower-cased, each once. */
export function searchWords(...texts: readonly string[]): readonly string[] {
  const words = texts.flatMap(
    (text) =>
      text
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [],
  )
  return [...new Set(words)]
}
