import { createIntList } from '../../compare/int-list.js'
import { closeBrace, comma, openBrace, valueEnd } from '../../json-bytes/json-bytes.js'
import { eachChild, isContainer } from '../../json-bytes/json-walk.js'
import type { Comments, JsonLayout } from './json-output.js'
import { compareKeys, compareKeysNaturally, sortedIndexes } from './key-order.js'
import { compactJson, rewriteJson } from './rewrite-json.js'

/** Larger objects are not rearranged in memory, but written in their order. */
const movedBytesMax = 4_000_000
const chunkBytes = 65_536

/** An object whose members are written in another order. */
interface Deferred {
  readonly start: number
  readonly end: number
  /** Where each member begins, in the order of the document. */
  readonly members: Int32Array
  /** The places of the members among these, sorted. */
  readonly order: Uint32Array
}

/** Sorts the members of all objects of compact JSON in place, except those of large objects, which it returns. */
function sortObjects(bytes: Uint8Array, compareOf: typeof compareKeys): readonly Deferred[] {
  const deferred: Deferred[] = []
  /** Where the members of the open objects begin, those of the innermost last. */
  const starts = createIntList()

  function arrange(start: number, end: number, members: Int32Array): void {
    const count = members.length
    const compare = (one: number, other: number): number =>
      compareOf(bytes, members[one] as number, members[other] as number)
    let isSorted = true
    for (let at = 1; at < count && isSorted; at += 1) isSorted = compare(at - 1, at) <= 0
    if (isSorted) return
    const order = sortedIndexes(count, compare)
    if (end - start > movedBytesMax) {
      deferred.push({ start, end, members, order })
      return
    }
    const copy = bytes.slice(start, end)
    let to = start + 1
    for (const place of order) {
      const [from, next] = memberRange(members, place, end)
      bytes.set(copy.subarray(from - start, next - start), to)
      to += next - from
      if (to < end - 1) bytes[to++] = comma
    }
  }

  /** Sorts what is in the value that begins at `start`, and returns where it ends. */
  function sortValue(start: number): number {
    if (!isContainer(bytes[start])) return valueEnd(bytes, start)
    const firstMember = starts.length()
    const end = eachChild({ bytes }, start, (value, child) => {
      if (child !== value) starts.push(child)
      return sortValue(value)
    })
    if (starts.length() - firstMember > 1) arrange(start, end, starts.values().slice(firstMember))
    starts.cutTo(firstMember)
    return end
  }

  sortValue(0)
  return deferred.sort((one, other) => one.start - other.start)
}

/** Where a member of an object begins and ends. */
function memberRange(members: Int32Array, place: number, objectEnd: number): readonly [number, number] {
  return [members[place] as number, (members[place + 1] ?? objectEnd) - 1]
}

/** The bytes of a range as views, in which `deferred` are, the outermost of them first. */
function* written(
  bytes: Uint8Array,
  deferred: readonly Deferred[],
  from: number,
  to: number,
): Generator<Uint8Array> {
  let at = from
  while (at < to) {
    const next = deferred.find((object) => object.start >= at && object.end <= to)
    const end = next?.start ?? to
    for (; at < end; at += chunkBytes) yield bytes.subarray(at, Math.min(end, at + chunkBytes))
    at = end
    if (next === undefined) return
    const inside = deferred.filter((object) => object.start > next.start && object.end < next.end)
    for (const [index, place] of next.order.entries()) {
      yield Uint8Array.of(index === 0 ? openBrace : comma)
      yield* written(bytes, inside, ...memberRange(next.members, place, next.end))
    }
    yield Uint8Array.of(closeBrace)
    at = next.end
  }
}

/** What is read, and how keys are compared. */
export interface SortOptions {
  readonly comments: Exclude<Comments, 'keep'>
  readonly order: 'code-points' | 'natural'
}

/** Sorts the members of every object by their keys; those of the same key keep their order. */
export async function* sortKeys(
  input: AsyncIterable<Uint8Array>,
  layout: JsonLayout,
  { comments, order }: SortOptions,
): AsyncGenerator<Uint8Array> {
  const bytes = await compactJson(input, comments)
  const deferred = sortObjects(bytes, order === 'natural' ? compareKeysNaturally : compareKeys)
  async function* sorted(): AsyncGenerator<Uint8Array> {
    yield* written(bytes, deferred, 0, bytes.length)
  }
  yield* rewriteJson(sorted(), layout)
}
