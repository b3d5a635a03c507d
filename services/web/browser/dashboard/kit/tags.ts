const tagsMax = 20
const tagLengthMax = 50

/**
 * Adds the comma-separated tags of `text`, normalised as the API does: trimmed, unique, at most as many as it
 * accepts.
 */
export function addTags(tags: readonly string[], entered: string): readonly string[] {
  const added = entered
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '' && [...tag].length <= tagLengthMax)
  return [...new Set([...tags, ...added])].slice(0, tagsMax)
}
