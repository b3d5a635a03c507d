import { CompareError } from '../comparison.js'
import { keyNames, quotedNames } from '../key-names.js'
import type { ItemIdentities, ItemKeys } from './item-keys.js'
import type { JsonEdits } from './json-edits.js'
import type { ArrayItems, JsonNodes } from './json-nodes.js'
import { jsonPointers } from './json-nodes.js'

/**
 * The key that the caller has named. It must identify the items of an array that differs. Within such items it need not:
 * their arrays are compared by it if they can be, else as if no key were named.
 */
export interface WantedKey {
  /**
   * What identifies the items of two arrays; `null` where the key does not.
   * @throws CompareError `key_not_unique` if two items have the same value.
   */
  of(items: ArrayItems, newItems: ArrayItems, path: number): ItemIdentities | null
  /** Compares the items that it has identified. */
  inside(compare: () => void): void
  /** @throws CompareError `key_not_found` if arrays were compared and it has identified the items of none. */
  end(): void
}

/** Watches over the use of a key. */
export function createWantedKey(
  nodes: JsonNodes,
  edits: JsonEdits,
  key: string | undefined,
  itemKeys: ItemKeys,
): WantedKey {
  let [isMissing, isFound, depth] = [false, false, 0]
  const names = keyNames(key ?? '')
  const [name, isOne] = [quotedNames(names), names.length === 1]
  return {
    of(items, newItems, path) {
      if (key === undefined) return null
      const found = itemKeys.byWanted(items, newItems)
      if ('keys' in found) {
        isFound = true
        return found
      }
      if (found.why === 'repeated' && depth === 0) {
        const pointer = jsonPointers(nodes, edits).of(path, found.inSecond)
        const [one, other] = found.places.map((place) => `${pointer}/${place}`)
        const document = found.inSecond ? 'second' : 'first'
        throw new CompareError(
          'key_not_unique',
          `${isOne ? 'The key' : 'The keys'} ${name} ${isOne ? 'does' : 'do'} not identify items: ${one} and ${other} of the ${document} document have the same.`,
          document,
        )
      }
      isMissing = true
      return null
    },
    inside(compare) {
      depth += 1
      compare()
      depth -= 1
    },
    end() {
      if (!isMissing || isFound) return
      throw new CompareError(
        'key_not_found',
        `${isOne ? 'The key' : 'The keys'} ${name} ${isOne ? 'identifies' : 'identify'} the items of no array that differs: each item must have ${isOne ? 'it, as a string or number' : 'all, as strings or numbers'}.`,
      )
    },
  }
}
