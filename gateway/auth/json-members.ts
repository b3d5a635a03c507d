/** The members of a JSON object by name. A map, because a name such as `__proto__` means nothing to it. */
export type JsonMembers = ReadonlyMap<string, unknown>

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Index of the quotation mark that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  let index = start + 1
  while (text[index] !== '"') index += text[index] === '\\' ? 2 : 1
  return index
}

/** How many members the outermost object has, duplicates counted; `text` is known to be valid JSON. */
function countMembers(text: string): number {
  let depth = 0
  let members = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '"') index = endOfString(text, index)
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    else if (character === ':' && depth === 1) members++
  }
  return members
}

/**
 * Reads a JSON object whose own member names are unique: of two members with one name, two readers may each believe
 * another.
 * @throws Error when the bytes are not valid UTF-8, not JSON, not an object, or a name comes twice.
 */
export function parseJsonMembers(bytes: Uint8Array): JsonMembers {
  const text = utf8.decode(bytes)
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('not a JSON object')
  const members = new Map<string, unknown>(Object.entries(value))
  if (members.size !== countMembers(text)) throw new Error('a member name comes twice')
  return members
}
