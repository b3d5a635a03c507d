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

/** The words that a search asks for; one of signs alone, such as "--", asks for a word that nothing has. */
export function wantedWords(query: string): readonly string[] {
  const words = searchWords(query)
  return words.length === 0 && query.trim() !== '' ? [''] : words
}
