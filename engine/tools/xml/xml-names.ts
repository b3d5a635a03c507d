import { namePattern } from './xml-tokens.js'

/**
 * The namespace of the attributes that say what XML alone cannot: `json:type` (`number`, `boolean`, `null`, `array`,
 * `object`, `escaped`), `json:key`, `json:array` before the first item, and `json:root` on an element that only holds
 * the document. Keys, and text that is `escaped`, are spelled as in a JSON string.
 */
export const marksNamespace = 'urn:snipkeep:json'

/** How deep JSON may be nested that XML becomes, as everywhere. */
export const jsonDepthMax = 512

const wholeName = new RegExp(`^(?:${namePattern})$`, 'u')
const nameUnitsMax = 1_000
const readableUnitsMax = 60

/** Whether a text can be the name of an element or attribute whose prefix, if it has one, is declared. */
export function isXmlName(text: string, prefixes: ReadonlySet<string>): boolean {
  if (text.length > nameUnitsMax || !wholeName.test(text)) return false
  const [prefix = '', local, ...more] = text.split(':')
  if (local === undefined) return true
  return more.length === 0 && wholeName.test(local) && prefixes.has(prefix)
}

/** A name that reads like this text. */
export function readableName(text: string): string {
  const characters = [...text.slice(0, readableUnitsMax)].map((character) =>
    character !== ':' && wholeName.test(`_${character}`) ? character : '_',
  )
  const name = characters.join('')
  return wholeName.test(name) ? name : `_${name}`
}
