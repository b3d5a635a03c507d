import { afterSpace, openBrace, quote, stringBetween, stringEnd } from '#engine/json-bytes/json-bytes.js'
import { eachChild, endOf, isContainer, stopWalk } from '#engine/json-bytes/json-walk.js'
import { pointerTo } from '#engine/json-pointer.js'
import type { Structure } from '../json/structure.js'
import { kindOfName, kindsOfTool } from '../kinds/kind.js'

/** The byte range of a value. */
export interface Extent {
  readonly start: number
  readonly end: number
}

/** A member of the data. */
export interface Member extends Extent {
  readonly key: string
}

/** The unit of the viewer: the whole data, one of its members, or two of them side by side. */
export type PartSource =
  | ({ readonly type: 'whole' } & Extent)
  | ({ readonly type: 'member' } & Member)
  | { readonly type: 'pair'; readonly left: Member; readonly right: Member }

/** The parts of a document in the order sent, and the index of the one that opens first. */
export interface PartList {
  readonly parts: readonly PartSource[]
  readonly first: number
}

/** Data with more members is treated as one JSON document. */
const membersMax = 20

/** A longer key would make a link that proxies may refuse. */
const keyLengthMax = 200

/** Longer strings count as texts rather than fields. */
const longStringBytes = 200

const pairs: readonly (readonly [string, string])[] = [
  ['left', 'right'],
  ['a', 'b'],
  ['before', 'after'],
  ['old', 'new'],
]

const roleNames = new Set(['input', 'output', 'result', 'formatted'])

/** The names of the members that open first, in order of preference. */
const firstNames = ['output', 'result', 'formatted']

/**
 * The members of the root object; `null` if they cannot be parts: too many, a duplicate key, or a key too
 * long.
 */
function membersOf(structure: Structure, root: number): readonly Member[] | null {
  const { bytes } = structure
  const members = new Map<string, Member>()
  const end = eachChild(structure, root, (start, child) => {
    const key = stringBetween(bytes, child, stringEnd(bytes, child))
    const canBePart = key.length <= keyLengthMax && key.isWellFormed()
    if (members.size === membersMax || members.has(key) || !canBePart) return stopWalk
    const end = endOf(structure, start)
    members.set(key, { key, start, end })
    return end
  })
  return end === stopWalk ? null : [...members.values()]
}

/** Whether a string is a text of its own: long, or of several lines. */
function isText(bytes: Uint8Array, { start, end }: Extent): boolean {
  if (bytes[start] !== quote) return false
  if (end - start > longStringBytes) return true
  return stringBetween(bytes, start, end).includes('\n')
}

/**
 * Whether members are parts rather than the fields of one record: one is a string with a name that tools use,
 * or at least half of them are texts.
 */
function areParts(bytes: Uint8Array, members: readonly Member[], targetWord: string | null): boolean {
  const strings = members.filter(({ start }) => bytes[start] === quote)
  const isNamed = ({ key }: Member): boolean => {
    const lower = key.toLowerCase()
    return roleNames.has(lower) || lower === targetWord || kindOfName(key) !== null
  }
  const texts = strings.filter((member) => isText(bytes, member))
  return (
    strings.some((member) => isNamed(member) && member.end - member.start > 2) ||
    texts.length * 2 >= members.length
  )
}

function pairOf(bytes: Uint8Array, members: readonly Member[]): readonly [Member, Member] | null {
  const named = (name: string): Member | undefined => members.find(({ key }) => key.toLowerCase() === name)
  for (const [one, other] of pairs) {
    const [left, right] = [named(one), named(other)]
    if (left === undefined || right === undefined) continue
    // Single letters are field names as well: only texts are compared under them.
    const areTexts = isText(bytes, left) || isText(bytes, right)
    const areAlike = bytes[left.start] === bytes[right.start]
    const areSides = bytes[left.start] === quote || isContainer(bytes[left.start])
    if (areAlike && areSides && (areTexts || one.length > 1)) return [left, right]
  }
  return null
}

function sizeOf(part: PartSource): number {
  if (part.type !== 'pair') return part.end - part.start
  return part.left.end - part.left.start + part.right.end - part.right.start
}

/** The index of the part that opens first: the tool's output, a comparison, else the largest. */
function firstOf(parts: readonly PartSource[], targetWord: string | null): number {
  const wanted = targetWord === null ? firstNames : [...firstNames, targetWord]
  for (const name of wanted) {
    const place = parts.findIndex((part) => part.type === 'member' && part.key.toLowerCase() === name)
    if (place >= 0) return place
  }
  const pair = parts.findIndex(({ type }) => type === 'pair')
  if (pair >= 0) return pair
  const sizes = parts.map(sizeOf)
  return sizes.indexOf(Math.max(...sizes))
}

/** The parts of valid JSON made by a tool of this name. Anything but an object of parts is one part. */
export function listParts(structure: Structure, tool: string): PartList {
  const { bytes } = structure
  const start = afterSpace(bytes, 0)
  const whole = { type: 'whole', start, end: endOf(structure, start) } as const
  const one: PartList = { parts: [whole], first: 0 }
  if (bytes[start] !== openBrace) return one
  const members = membersOf(structure, start)
  if (members === null || members.length === 0) return one
  const [only, second] = members
  if (only !== undefined && second === undefined)
    return bytes[only.start] === quote ? { parts: [{ type: 'member', ...only }], first: 0 } : one
  const { targetWord } = kindsOfTool(tool)
  const pair = pairOf(bytes, members)
  if (pair === null && !areParts(bytes, members, targetWord)) return one
  const parts: PartSource[] = []
  for (const member of members) {
    if (member === pair?.[1]) continue
    if (member === pair?.[0]) parts.push({ type: 'pair', left: pair[0], right: pair[1] })
    else parts.push({ type: 'member', ...member })
  }
  return { parts, first: firstOf(parts, targetWord) }
}

/** The name of a part; `null` for the data as a whole. */
export function partName(part: PartSource): string | null {
  switch (part.type) {
    case 'whole':
      return null
    case 'member':
      return part.key
    case 'pair':
      return `${part.left.key} ↔ ${part.right.key}`
    default:
      return part satisfies never
  }
}

/** The pointers of a part: one, or those of both sides. */
export function partPointers(part: PartSource): readonly [string, ...string[]] {
  switch (part.type) {
    case 'whole':
      return ['']
    case 'member':
      return [pointerTo([part.key])]
    case 'pair':
      return [pointerTo([part.left.key]), pointerTo([part.right.key])]
    default:
      return part satisfies never
  }
}
