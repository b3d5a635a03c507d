/** A member of objects. */
export interface MemberShape {
  readonly shape: ValueShape
  /** How many of the objects have it. */
  objects: number
  /** The last of them. */
  lastObject: number
}

/** What values at one place have in common. Counts say how many were of each type. */
export interface ValueShape {
  nulls: number
  booleans: number
  integers: number
  /** Numbers that are not spelled as integers. */
  decimals: number
  strings: number
  objects: number
  arrays: number
  /** The formats that all strings have, by the bits of `stringFormats`. */
  formats: number
  /** The different strings; `null` once there are too many. */
  values: Set<string> | null
  /** By their keys, in the order of their first appearance; `null` once there are too many for a record. */
  members: Map<string, MemberShape> | null
  /** Of all members, once `members` is `null`. */
  anyMember: ValueShape | null
  /** Of all items. */
  items: ValueShape | null
  /** Members or items were left out, because there were too many shapes or they were too deep. */
  isIncomplete: boolean
}

/** Objects with more keys are dictionaries, whose keys are data. */
export const membersMax = 1_000
/** Different strings that are remembered. */
const valuesMax = 10

/** Nothing is known yet. */
export function emptyShape(): ValueShape {
  return {
    nulls: 0,
    booleans: 0,
    integers: 0,
    decimals: 0,
    strings: 0,
    objects: 0,
    arrays: 0,
    formats: -1,
    values: new Set(),
    members: new Map(),
    anyMember: null,
    items: null,
    isIncomplete: false,
  }
}

/** Remembers a string, unless there are too many. */
export function addValue(shape: ValueShape, value: string): void {
  shape.values?.add(value)
  if (shape.values !== null && shape.values.size > valuesMax) shape.values = null
}

/** What one shape and another have in common; either may become part of it. */
function merged(one: ValueShape | null, other: ValueShape | null): ValueShape | null {
  if (one === null || other === null) return one ?? other
  mergeInto(one, other)
  return one
}

function mergeInto(shape: ValueShape, other: ValueShape): void {
  for (const count of ['nulls', 'booleans', 'integers', 'decimals', 'strings', 'objects', 'arrays'] as const)
    shape[count] += other[count]
  shape.formats &= other.formats
  if (other.values === null) shape.values = null
  else for (const value of other.values) addValue(shape, value)
  shape.items = merged(shape.items, other.items)
  shape.isIncomplete ||= other.isIncomplete
  if (shape.members === null || other.members === null) {
    toDictionary(shape)
    toDictionary(other)
    shape.anyMember = merged(shape.anyMember, other.anyMember)
    return
  }
  for (const [key, member] of other.members) {
    const own = shape.members.get(key)
    if (own === undefined) shape.members.set(key, member)
    else {
      mergeInto(own.shape, member.shape)
      own.objects += member.objects
    }
  }
  if (shape.members.size > membersMax) toDictionary(shape)
}

/** Makes the keys of an object data: from now on all its members have one shape. */
export function toDictionary(shape: ValueShape): void {
  if (shape.members === null) return
  const members = [...shape.members.values()]
  shape.members = null
  for (const member of members) shape.anyMember = merged(shape.anyMember, member.shape)
}

/** How many shapes a shape is made of. */
export function countShapes(shape: ValueShape | null): number {
  if (shape === null) return 0
  let count = 1 + countShapes(shape.items) + countShapes(shape.anyMember)
  for (const member of shape.members?.values() ?? []) count += countShapes(member.shape)
  return count
}

/** The types of JSON Schema that values of this shape had. */
export function typesOf(shape: ValueShape): readonly string[] {
  const { nulls, booleans, integers, decimals, strings, objects, arrays } = shape
  const counts: readonly (readonly [type: string, count: number])[] = [
    ['object', objects],
    ['array', arrays],
    ['string', strings],
    [decimals > 0 ? 'number' : 'integer', decimals + integers],
    ['boolean', booleans],
    ['null', nulls],
  ]
  return counts.filter(([, count]) => count > 0).map(([type]) => type)
}

/** The strings of a place that has few of them, each twice on average, and nothing else but null; else `null`. */
export function listedValues(shape: ValueShape): readonly string[] | null {
  const { values, strings, booleans, integers, decimals, objects, arrays } = shape
  if (values === null || values.size === 0 || strings < 2 * values.size) return null
  return booleans + integers + decimals + objects + arrays === 0 ? [...values] : null
}
