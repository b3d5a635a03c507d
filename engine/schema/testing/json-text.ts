import { stringBetween, stringEnd, textBetween } from '../../json-bytes/json-bytes.js'
import { eachChild, endOf } from '../../json-bytes/json-walk.js'

function children(text: string): readonly (readonly [key: string, value: string])[] {
  const bytes = new TextEncoder().encode(text)
  const found: (readonly [string, string])[] = []
  const start = text.search(/[{[]/)
  eachChild({ bytes }, start, (value, child) => {
    const end = endOf({ bytes }, value)
    const key = value === child ? '' : stringBetween(bytes, child, stringEnd(bytes, child))
    found.push([key, textBetween(bytes, value, end)])
    return end
  })
  return found
}

/** Reads a text of JSON one level deep, so that numbers keep their digits. */
export const jsonText = {
  /** The members of an object, each value as it is spelled. */
  memberTexts: (object: string): readonly (readonly [key: string, value: string])[] => children(object),
  /** The items of an array, each as it is spelled. */
  itemTexts: (array: string): readonly string[] => children(array).map(([, value]) => value),
}
