const tagsMax = 20
const tagLengthMax = 50

/** These tags and those in a text that commas separate, as the API keeps them: trimmed, once each, as many as it takes. */
export function addTags(tags: readonly string[], entered: string): readonly string[] {
  const added = entered
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '' && [...tag].length <= tagLengthMax)
  return [...new Set([...tags, ...added])].slice(0, tagsMax)
}
