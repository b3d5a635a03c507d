/** Visits two sequences; places are counted from 0. */
export interface ItemVisitor {
  /** Two items have the same place, or are what is left of equal ones. */
  pair(at: number, newAt: number): void
  remove(at: number): void
  add(newAt: number): void
  /** The same items are in another order. */
  reorder(): void
}

/** Those of a sequence that the other has not, equal ones counted. */
function leftOf(ids: Uint32Array, others: Uint32Array): readonly number[] {
  const counts = new Map<number, number>()
  for (const id of others) counts.set(id, (counts.get(id) ?? 0) + 1)
  const left: number[] = []
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] ?? 0
    const count = counts.get(id) ?? 0
    if (count > 0) counts.set(id, count - 1)
    else left.push(at)
  }
  return left
}

function visitUnordered(ids: Uint32Array, newIds: Uint32Array, visitor: ItemVisitor): void {
  const [left, newLeft] = [leftOf(ids, newIds), leftOf(newIds, ids)]
  const paired = Math.min(left.length, newLeft.length)
  for (let at = 0; at < paired; at += 1) visitor.pair(left[at] ?? 0, newLeft[at] ?? 0)
  for (const at of left.slice(paired)) visitor.remove(at)
  for (const newAt of newLeft.slice(paired)) visitor.add(newAt)
  if (left.length + newLeft.length === 0) visitor.reorder()
}

/** Whether two sequences have the same items in the same order. */
export function isSameSequence(ids: Uint32Array, newIds: Uint32Array): boolean {
  return ids.length === newIds.length && ids.every((id, at) => id === newIds[at])
}

/**
 * Visits two sequences that differ, if only within items; equal items having equal numbers. In order, items of sequences of one length are
 * paired by their places; if lengths differ, what both begin and end with is left out first. Without order, equal items
 * are left out, and those that are left paired in their order.
 */
export function walkItems(
  ids: Uint32Array,
  newIds: Uint32Array,
  order: 'significant' | 'insignificant',
  visitor: ItemVisitor,
): void {
  if (order === 'insignificant') {
    visitUnordered(ids, newIds, visitor)
    return
  }
  const shorter = Math.min(ids.length, newIds.length)
  let [head, tail] = [0, 0]
  if (ids.length !== newIds.length) {
    while (head < shorter && ids[head] === newIds[head]) head += 1
    while (tail < shorter - head && ids[ids.length - 1 - tail] === newIds[newIds.length - 1 - tail]) tail += 1
  }
  for (let at = head; at < shorter - tail; at += 1) if (ids[at] !== newIds[at]) visitor.pair(at, at)
  for (let at = shorter - tail; at < ids.length - tail; at += 1) visitor.remove(at)
  for (let at = shorter - tail; at < newIds.length - tail; at += 1) visitor.add(at)
}

/**
 * Visits two sequences whose items keys identify, each key once in a sequence (what has a negative one has none): pairs and additions in the order of the
 * second, then removals.
 */
export function walkKeyedItems(
  keys: readonly number[],
  newKeys: readonly number[],
  visitor: ItemVisitor,
): void {
  const places = new Map(keys.map((key, at) => [key, at]))
  let [last, isOrdered] = [-1, true]
  for (const [newAt, key] of newKeys.entries()) {
    const at = places.get(key)
    if (at === undefined) {
      visitor.add(newAt)
      continue
    }
    places.delete(key)
    isOrdered &&= at > last
    last = at
    visitor.pair(at, newAt)
  }
  for (const at of places.values()) visitor.remove(at)
  if (!isOrdered) visitor.reorder()
}
