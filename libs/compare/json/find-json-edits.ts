import { openBrace, openBracket } from '../../json-bytes/json-bytes.js'
import { createAligner } from '../align.js'
import { createIntMap } from '../int-map.js'
import { walkRuns } from '../walk-runs.js'
import { createItemKeys } from './item-keys.js'
import { added, type JsonEdits, type Place, removed, replaced, rootPath } from './json-edits.js'
import { childrenOf, firstByte, type JsonNodes } from './json-nodes.js'
import { ignoredId } from './value-ids.js'

/** How edits are looked for. */
export interface EditRules {
  readonly key: string | undefined
  readonly order: boolean
}

/** Some numbers of a list, and where they begin in it. */
function ofChildren(values: Uint32Array, children: Uint32Array): Uint32Array {
  return children.map((child) => values[child] ?? 0)
}

/** Adds the edits that turn the first document of these nodes into the second. */
export function findJsonEdits(nodes: JsonNodes, edits: JsonEdits, { key, order }: EditRules): void {
  const { ids, keys, repeating } = nodes
  const byId = createIntMap()
  const aligner = createAligner(byId)
  const itemKeys = createItemKeys(nodes, key, byId)
  const placeByKey = createIntMap()
  const isIgnored = (item: number): boolean => ids[item] === ignoredId

  /** Compares two values. Documents are not so deep that this could overflow. */
  function compareValues(node: number, newNode: number, place: Place | null): void {
    if (ids[node] === ids[newNode]) return
    const type = firstByte(nodes, node)
    const isSame = type === firstByte(nodes, newNode)
    const path = (): number => (place === null ? rootPath : edits.enter(place))
    if (isSame && type === openBracket) compareArrays(node, newNode, path())
    else if (!isSame || type !== openBrace || !compareObjects(node, newNode, path))
      edits.add(replaced, place, node, newNode)
  }

  /** Says false where only a replacement of the whole turns one object into the other. */
  function compareObjects(object: number, newObject: number, path: () => number): boolean {
    if (repeating.has(object) || repeating.has(newObject)) return false
    const [members, newMembers] = [childrenOf(nodes, object), childrenOf(nodes, newObject)]
    placeByKey.clear()
    for (const [at, child] of newMembers.entries()) placeByKey.set(keys[child] ?? 0, at + 1)
    const partners = members.map((child) => Math.max(0, placeByKey.get(keys[child] ?? 0)))
    const isKept = new Uint8Array(newMembers.length)
    let [kept, last, isOrdered] = [0, 0, true]
    for (const partner of partners) {
      if (partner === 0) continue
      isKept[partner - 1] = 1
      isOrdered &&= partner > last
      last = partner
      kept += 1
    }
    // What has nothing in common is another object; what is added comes last.
    if (kept === 0 && members.length > 0 && newMembers.length > 0) return false
    if (order && !(isOrdered && last === kept)) return false
    const parent = path()
    const placeOf = (child: number): Place => {
      const step = keys[child] ?? 0
      return { parent, isMember: true, step, newStep: step }
    }
    members.forEach((child, at) => {
      const partner = partners[at] ?? 0
      if (partner === 0) edits.add(removed, placeOf(child), child, 0)
      else {
        const newChild = newMembers[partner - 1] ?? 0
        if (ids[child] !== ids[newChild]) compareValues(child, newChild, placeOf(child))
      }
    })
    newMembers.forEach((child, at) => {
      if (isKept[at] === 0) edits.add(added, placeOf(child), 0, child)
    })
    return true
  }

  function compareArrays(array: number, newArray: number, parent: number): void {
    const [items, newItems] = [childrenOf(nodes, array), childrenOf(nodes, newArray)]
    const identities = itemKeys.of(items, newItems)
    const [values, newValues] = identities ?? [ofChildren(ids, items), ofChildren(ids, newItems)]
    const pair = (at: number, newAt: number): void => {
      const [node, newNode] = [items[at] ?? 0, newItems[newAt] ?? 0]
      if (ids[node] !== ids[newNode] && !isIgnored(node) && !isIgnored(newNode))
        compareValues(node, newNode, { parent, isMember: false, step: at, newStep: newAt })
    }
    const remove = (at: number, newAt: number): void => {
      const node = items[at] ?? 0
      if (!isIgnored(node)) edits.add(removed, { parent, isMember: false, step: at, newStep: newAt }, node, 0)
    }
    const add = (at: number, newAt: number): void => {
      const node = newItems[newAt] ?? 0
      if (!isIgnored(node)) edits.add(added, { parent, isMember: false, step: at, newStep: newAt }, 0, node)
    }
    const same = (at: number, newAt: number, length: number): void => {
      for (let offset = 0; offset < length; offset += 1) pair(at + offset, newAt + offset)
    }
    const runs = aligner.align(values, newValues)
    // Items that are identified by a key and have no partner are different ones.
    const visitor = identities === null ? { pair, remove, add } : { same, remove, add }
    walkRuns(runs, items.length, newItems.length, visitor)
  }

  compareValues(0, nodes.secondNode, null)
}
