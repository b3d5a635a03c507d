import { type AnchoredStart, startsByHead } from './anchors.js'
import type { SecretRule } from './secret-rule.js'
import { authorityFollows, isBoundary, tokenFollows, tokenStart } from './token-bytes.js'

/** Bytes as text, one character per byte or escape. */
interface Unescaped {
  readonly text: string
  /** The offset of the first byte of a character, or of the end. */
  offsetOf(index: number): number
}

const short: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** Bytes as they are, 4 KiB at most. */
function asText(bytes: Uint8Array, from: number, to: number): Unescaped {
  return {
    text: String.fromCharCode(...bytes.subarray(from, to)),
    offsetOf: (index) => from + index,
  }
}

/** Removes one level of the escapes of JSON strings; an escape that is cut off stays. */
function withoutEscapes({ text, offsetOf }: Unescaped): Unescaped {
  let result = ''
  const places: number[] = []
  for (let at = 0; at < text.length; ) {
    places.push(at)
    const next = text[at + 1]
    if (text[at] !== '\\' || next === undefined) {
      result += text[at]
      at += 1
    } else if (next === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))) {
      result += String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16))
      at += 6
    } else {
      result += short[next] ?? next
      at += 2
    }
  }
  places.push(text.length)
  return { text: result, offsetOf: (index) => offsetOf(places[index] ?? text.length) }
}

/** A secret that a rule has found. Offsets are in bytes of what was scanned. */
export interface FoundSecret {
  readonly rule: string
  /** Whether it is one beyond doubt. */
  readonly certain: boolean
  /** Such as `ghp_…9f2K`: too little of it to be of use. */
  readonly masked: string
  /** Where the part begins that must not be shown. */
  readonly start: number
  readonly end: number
  /** Whether it continues after `end`, up to an end line. */
  readonly hasEndLine: boolean
}

/** Part of what is scanned. */
export interface Window {
  readonly bytes: Uint8Array
  /** The bytes from there on are unknown. */
  readonly to: number
  readonly nowMs: number
}

/** By how many bytes a secret is recognized at most. */
export const secretBytesMax = 2_048

/** Most are recognized by fewer. */
const usualBytes = 384

/** Shorter secrets show nothing of their end. */
const shownLengthMin = 16

function maskOf({ shown }: SecretRule, start: string, secret: string): string {
  const end = secret.length < shownLengthMin ? '' : secret.slice(-4)
  return shown ?? `${start.trimEnd()}…${end}`
}

/** What a rule finds in a text, whose start is at `at`. */
function check(
  rule: SecretRule,
  start: string,
  at: number,
  read: Unescaped,
  nowMs: number,
): FoundSecret | null {
  rule.rest.lastIndex = at + start.length
  const match = rule.rest.exec(read.text)
  if (match === null) return null
  const end = match.index + match[0].length
  const part = match.groups?.secret
  const secret = part ?? match[0]
  const secretAt = part === undefined ? at : match.index + match[0].lastIndexOf(part)
  const text = read.text.slice(at, end)
  const certain = rule.check === undefined ? rule.certain : rule.check({ text, start, secret }, nowMs)
  if (certain === null) return null
  return {
    rule: rule.id,
    certain: certain && rule.certain,
    masked: maskOf(rule, start, secret),
    start: read.offsetOf(secretAt),
    end: read.offsetOf(part === undefined ? end : secretAt + part.length),
    hasEndLine: rule.hasEndLine === true,
  }
}

/** Levels of escapes that are removed: those of JSON, and those of JSON in a string of JSON. */
const levelsMax = 2

/** Whether a cheap look at the bytes leaves a secret possible. */
export function mayMatch({ rule, bytes: start }: AnchoredStart, { bytes, to }: Window, at: number): boolean {
  if (rule.anywhere !== true && !isBoundary(bytes, at)) return false
  const after = at + start.length
  return rule.hasAuthority === true
    ? authorityFollows(bytes, after, to)
    : tokenFollows(bytes, after, to, rule.least)
}

/** The secret whose start is at `at`, with its bytes as they are or with one or two levels of escapes removed. */
export function matchSecret({ rule, start }: AnchoredStart, window: Window, at: number): FoundSecret | null {
  const { bytes, to, nowMs } = window
  const reach = rule.reach ?? usualBytes
  const plain = asText(bytes, at, Math.min(to, at + reach))
  const found = check(rule, start, 0, plain, nowMs)
  if (found !== null) return rule.beginsBefore === true ? { ...found, start: tokenStart(bytes, at) } : found
  if (!plain.text.includes('\\')) return null
  let read = asText(bytes, at, Math.min(to, at + secretBytesMax))
  for (let level = 1; level <= levelsMax; level += 1) {
    read = withoutEscapes(read)
    if (!read.text.startsWith(start)) return null
    const escaped = check(rule, start, 0, read, nowMs)
    if (escaped !== null) return escaped
  }
  return null
}

/**
 * The secrets whose own start may be escaped: those that begin between two offsets, after one level of escapes is
 * removed.
 */
export function matchEscaped(
  { bytes, to, nowMs }: Window,
  from: number,
  until: number,
): readonly FoundSecret[] {
  const read = withoutEscapes(asText(bytes, from, Math.min(to, until + secretBytesMax)))
  const found: FoundSecret[] = []
  for (let at = 0; at < read.text.length && read.offsetOf(at) < until; at += 1) {
    for (const { rule, start } of startsByHead.get(read.text.slice(at, at + 3)) ?? []) {
      if (!read.text.startsWith(start, at)) continue
      if (rule.anywhere !== true && at > 0 && /[A-Za-z0-9_-]/.test(read.text[at - 1] ?? '')) continue
      const one = check(rule, start, at, read, nowMs)
      if (one !== null) found.push(one)
    }
  }
  return found
}
