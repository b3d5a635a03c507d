/** A page parsed as a browser would. */
export interface ParsedPage {
  /** Its tags in order, attributes included, with attribute values emptied. */
  readonly tags: readonly string[]
  /** The text of an element that occurs once, such as `h1`. */
  textOf(name: string): string
  /** The value of an attribute of the first tag that starts like this. */
  attributeOf(tagStart: string, name: string): string
}

const references: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }

function withoutReferences(text: string): string {
  return text.replace(
    /&(?:#(\d+)|([a-z]+));/g,
    (_whole, code: string | undefined, name: string | undefined) =>
      code === undefined ? (references[name ?? ''] ?? '?') : String.fromCodePoint(Number(code)),
  )
}

/** One token of markup: a tag with quoted attributes, or text without markup characters. */
const piece = /<!?\/?[a-zA-Z][a-zA-Z0-9]*(?:\s+[a-zA-Z:-]+(?:="[^"<>]*")?)*\s*>|[^<>]+/y

/**
 * Parses a page.
 * @throws Error if it contains anything but plain tags and escaped text.
 */
export function parsePage(page: string): ParsedPage {
  const pieces: string[] = []
  piece.lastIndex = 0
  while (piece.lastIndex < page.length) {
    const at = piece.lastIndex
    const [found] = piece.exec(page) ?? []
    if (found === undefined) throw new Error(`not a plain tag: ${page.slice(at, at + 80)}`)
    const bare = found.replace(/&(?:amp|lt|gt|quot|#\d+);/g, '')
    if (bare.includes('&')) throw new Error(`an ampersand that is not escaped: ${found.slice(0, 80)}`)
    pieces.push(found)
  }
  const tags = pieces.filter((found) => found.startsWith('<'))
  return {
    tags: tags.map((tag) => tag.replaceAll(/="[^"]*"/g, '=""')),
    textOf(name) {
      const start = pieces.findIndex((found) => new RegExp(`^<${name}[\\s>]`).test(found))
      const end = pieces.indexOf(`</${name}>`)
      if (start < 0 || end < start) throw new Error(`there is no ${name}`)
      return withoutReferences(
        pieces
          .slice(start + 1, end)
          .filter((found) => !found.startsWith('<'))
          .join(''),
      )
    },
    attributeOf(tagStart, name) {
      const tag = tags.find((found) => found.startsWith(tagStart)) ?? ''
      const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
      if (value === undefined) throw new Error(`there is no ${name} in ${tagStart}`)
      return withoutReferences(value)
    },
  }
}
