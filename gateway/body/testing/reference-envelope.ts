import { parseByPlatform } from './verdicts.js'

/** A member of an object, as raw text. */
interface Member {
  readonly key: string
  readonly value: Buffer
}

/** The result of a slow and simple reader. */
export interface ReferenceEnvelope {
  readonly fields: Readonly<Record<string, unknown>>
  readonly data: Buffer
  /** `code pointer` of each problem, in order. */
  readonly problems: readonly string[]
}

/** The end of the string that begins at `start`. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1
  while (bytes[at] !== 0x22) at += bytes[at] === 0x5c ? 2 : 1
  return at + 1
}

/** Splits a valid object at its own commas and colons. */
function membersOf(bytes: Buffer): Member[] {
  const members: Member[] = []
  let depth = 0
  let key: string | null = null
  let from = 0
  for (let at = 0; at < bytes.length; at++) {
    const character = String.fromCharCode(bytes[at] ?? 0)
    if (character === '"') {
      const end = endOfString(bytes, at)
      if (depth === 1 && key === null) key = JSON.parse(bytes.toString('utf8', at, end))
      at = end - 1
    } else if (depth === 1 && character === ':') from = at + 1
    else if (depth === 1 && key !== null && (character === ',' || character === '}')) {
      members.push({ key, value: trim(bytes.subarray(from, at)) })
      key = null
    }
    if (character === '{' || character === '[') depth++
    if (character === '}' || character === ']') depth--
  }
  return members
}

function trim(bytes: Buffer): Buffer {
  let [from, to] = [0, bytes.length]
  while (' \t\n\r'.includes(String.fromCharCode(bytes[from] ?? 0))) from++
  while (' \t\n\r'.includes(String.fromCharCode(bytes[to - 1] ?? 0))) to--
  return bytes.subarray(from, to)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads a body with `JSON.parse`; `null` if it is not a JSON object. */
export function referenceEnvelope(bytes: Buffer, names: ReadonlySet<string>): ReferenceEnvelope | null {
  try {
    if (!isObject(parseByPlatform(bytes))) return null
  } catch {
    return null
  }
  const fields: Record<string, unknown> = Object.create(null)
  const problems: string[] = []
  const seen = new Set<string>()
  let data = Buffer.alloc(0)
  for (const { key, value } of membersOf(bytes)) {
    const pointer = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const known = names.has(key) || key === 'data'
    if (!known && !seen.has(key)) problems.push(`unknown_field ${pointer}`)
    if (known && seen.has(key)) problems.push(`duplicate_field ${pointer}`)
    if (known && !seen.has(key)) {
      if (key !== 'data') fields[key] = JSON.parse(value.toString())
      else if (value[0] === 0x7b) data = Buffer.from(value)
      else problems.push(`not_an_object ${pointer}`)
    }
    seen.add(key)
  }
  return { fields, data, problems }
}
