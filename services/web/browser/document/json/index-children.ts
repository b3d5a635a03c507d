import { childValue, firstChild, nextChild, type Structure } from './structure.js'

/** Where every n-th child of a container begins, so that any child is close to a known offset. */
export interface ChildIndex {
  readonly starts: Uint32Array
  /** The number of children from one entry to the next. */
  readonly stride: number
}

const startsMax = 1_048_576

/** Iterates over the children of a container. */
export function indexChildren(structure: Structure, container: number): ChildIndex {
  let starts = new Uint32Array(64)
  let stride = 1
  let index = 0
  for (let child = firstChild(structure, container); child !== null; index += 1) {
    if (index % stride === 0) {
      if (index / stride === startsMax) {
        starts = starts.map((_start, place) => starts[place * 2] ?? 0)
        stride *= 2
      }
      const place = index / stride
      if (place === starts.length) {
        const grown = new Uint32Array(starts.length * 2)
        grown.set(starts)
        starts = grown
      }
      starts[place] = child
    }
    child = nextChild(structure, childValue(structure, container, child))
  }
  return { starts: starts.slice(0, Math.ceil(index / stride)), stride }
}

/** Where the child at this index begins; `null` if there is none. */
export function childAt(
  structure: Structure,
  container: number,
  { starts, stride }: ChildIndex,
  number: number,
): number | null {
  let child: number | null = starts[Math.floor(number / stride)] ?? null
  for (let left = number % stride; left > 0 && child !== null; left -= 1)
    child = nextChild(structure, childValue(structure, container, child))
  return child
}

/** The last index in an ascending list whose value is at most `limit`; -1 if all are greater. */
export function lastAtMost(ascending: ArrayLike<number>, limit: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The child that contains an offset: where it begins, and its index; `null` if there is none. */
export function childAround(
  structure: Structure,
  container: number,
  { starts, stride }: ChildIndex,
  offset: number,
): { readonly child: number; readonly number: number } | null {
  const place = lastAtMost(starts, offset)
  if (place < 0) return null
  let child = starts[place] ?? 0
  let number = place * stride
  for (;;) {
    const next = nextChild(structure, childValue(structure, container, child))
    if (next === null || next > offset) return { child, number }
    child = next
    number += 1
  }
}
