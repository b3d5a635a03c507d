/**
 * Numbers things, equal ones alike: a hash says where to look, and the creator of the table decides what is equal.
 */
export interface IdTable {
  /** The number of a candidate with this hash. A new one is kept as the first of its kind. */
  idOf(hash: number, candidate: number): number
  /** The number of what has this hash and is accepted; `null` if there is none. */
  find(hash: number, isWanted: (id: number) => boolean): number | null
  /** The first candidate that was given this number. */
  firstOf(id: number): number
  /** One more than the highest number. */
  count(): number
}

function grown(values: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(values.length * 2)
  larger.set(values)
  return larger
}

/** Spreads what differs in the high bits of a hash to the low ones. */
function spread(hash: number): number {
  return Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
}

/** An empty table, in which 0 is the number of nothing. */
export function createIdTable(isSame: (known: number, candidate: number) => boolean): IdTable {
  let slots = new Int32Array(1_024)
  let hashes = new Int32Array(512)
  let firsts = new Int32Array(512)
  let count = 1

  /** The slot of the candidate, or the empty one where it belongs. */
  function slotOf(hash: number, candidate: number): number {
    const mask = slots.length - 1
    let at = spread(hash) & mask
    for (;;) {
      const id = slots[at] ?? 0
      if (id === 0 || (hashes[id] === hash && isSame(firsts[id] ?? 0, candidate))) return at
      at = (at + 1) & mask
    }
  }

  function rehash(): void {
    hashes = grown(hashes)
    firsts = grown(firsts)
    slots = new Int32Array(slots.length * 2)
    const mask = slots.length - 1
    for (let id = 1; id < count; id += 1) {
      let at = spread(hashes[id] ?? 0) & mask
      while (slots[at] !== 0) at = (at + 1) & mask
      slots[at] = id
    }
  }

  return {
    idOf(hash, candidate) {
      const whole = hash | 0
      const at = slotOf(whole, candidate)
      const known = slots[at] ?? 0
      if (known !== 0) return known
      const id = count
      slots[at] = id
      hashes[id] = whole
      firsts[id] = candidate
      count += 1
      // Half of the slots stay empty.
      if (count === hashes.length) rehash()
      return id
    },
    find(hash, isWanted) {
      const mask = slots.length - 1
      for (let at = spread(hash) & mask; slots[at] !== 0; at = (at + 1) & mask) {
        const id = slots[at] ?? 0
        if (hashes[id] === (hash | 0) && isWanted(id)) return id
      }
      return null
    },
    firstOf: (id) => firsts[id] ?? 0,
    count: () => count,
  }
}
