import { pointerTo } from '../../json-pointer.js'
import type { JsonEdits } from './json-edits.js'
import { type JsonNodes, keyText } from './json-nodes.js'

/** The JSON Pointers of edits. */
export interface JsonPointers {
  /** That of a path, in the first or the second document. */
  of(path: number, inSecond: boolean): string
}

/** Writes pointers; each key is decoded once. */
export function jsonPointers(nodes: JsonNodes, edits: JsonEdits): JsonPointers {
  const texts = new Map<number, string>()
  const textOf = (key: number): string => {
    const text = texts.get(key) ?? pointerTo([keyText(nodes, key)])
    texts.set(key, text)
    return text
  }
  return {
    of: (path, inSecond) =>
      edits
        .stepsOf(path, inSecond)
        .map(({ isMember, step }) => (isMember ? textOf(step) : `/${step}`))
        .join(''),
  }
}
