import { lastAtMost } from '#engine/count-while.js'
import { backslash, literalEnd, quote, stringBetween, textBetween } from '#engine/json-bytes/json-bytes.js'
import { states } from '#engine/json-bytes/json-grammar.js'
import { JsonScanner } from '#engine/json-bytes/json-scanner.js'
import type { NodeId, Wanted } from '../document-reader.js'
import { nextMatch } from '../text/next-match.js'
import { wantedPattern } from '../text/wanted-pattern.js'

/** Whether a key or a scalar between these offsets matches. */
type TokenTest = (bytes: Uint8Array, start: number, end: number) => boolean

function folded(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
}

/** Tests the decoded text of a token, which is slow for millions of them. */
function textTest({ text, caseSensitive }: Wanted): TokenTest {
  const pattern = wantedPattern(text, caseSensitive)
  return (bytes, start, end) => {
    pattern.lastIndex = 0
    const token = bytes[start] === quote ? stringBetween(bytes, start, end) : textBetween(bytes, start, end)
    return pattern.test(token)
  }
}

/** Compares the bytes of tokens without escapes. The search text must be ASCII. */
function byteTest(wanted: Wanted): TokenTest {
  const slow = textTest(wanted)
  const fold = wanted.caseSensitive ? (byte: number) => byte : folded
  const needle = Uint8Array.from(wanted.text, (character) => fold(character.charCodeAt(0)))
  const first = needle[0] ?? 0
  const standsAt = (bytes: Uint8Array, at: number): boolean => {
    for (let place = 1; place < needle.length; place += 1)
      if (fold(bytes[at + place] ?? 0) !== needle[place]) return false
    return true
  }
  return (bytes, start, end) => {
    const isString = bytes[start] === quote
    const last = (isString ? end - 1 : end) - needle.length
    for (let at = isString ? start + 1 : start; at < end; at += 1) {
      const byte = bytes[at] ?? 0
      if (byte === backslash) return slow(bytes, start, end)
      if (at <= last && fold(byte) === first && standsAt(bytes, at)) return true
    }
    return false
  }
}

/** Visits the nodes whose key or value passes a test, in text order, until a visit returns `false`. */
class MatchVisitor extends JsonScanner {
  private readonly test: TokenTest
  private readonly visit: (node: number) => boolean
  private keyMatches = false

  constructor(test: TokenTest, visit: (node: number) => boolean) {
    super()
    this.test = test
    this.visit = visit
  }

  protected override key(bytes: Uint8Array, start: number, end: number): void {
    this.keyMatches = this.test(bytes, start, end)
  }

  protected override scalar(bytes: Uint8Array, start: number, end: number): void {
    this.take(start, this.keyMatches || this.test(bytes, start, end))
  }

  protected override open(_isObject: boolean, at: number): void {
    this.take(at, this.keyMatches)
  }

  /** A number that JSON does not spell so, such as `0o755` in the tree of TOML, is a scalar, too. */
  protected override fail(bytes: Uint8Array, at: number, start: number): number {
    const { state } = this
    const isInString = (state >= states.inString && state < states.minus) || state >= states.string
    const isInWord = state > states.after && !isInString
    const isBeforeValue = state === states.value || state === states.firstElement
    const from = isInWord ? start : at
    const end = literalEnd(bytes, at)
    if (!(isInWord || isBeforeValue) || end === from) return super.fail(bytes, at, start)
    this.scalar(bytes, from, end)
    this.endValue()
    return end
  }

  private take(node: number, matches: boolean): void {
    if (matches && !this.isStopped) this.isStopped = !this.visit(node)
    this.keyMatches = false
  }
}

/** A node that matches, by the offset of its value, its number and the total. */
export interface FoundNode {
  readonly node: number
  readonly index: number
  readonly total: number
}

/** Further matches are neither counted nor reachable. */
const matchesMax = 1_000_000

function allMatches(bytes: Uint8Array, wanted: Wanted): readonly number[] {
  const isAscii = /^[\x20-\x7e]+$/.test(wanted.text)
  const found: number[] = []
  const visitor = new MatchVisitor(
    isAscii ? byteTest(wanted) : textTest(wanted),
    (node) => found.push(node) < matchesMax,
  )
  visitor.scanAll(bytes)
  return found
}

/**
 * Searches the nodes of a document for keys and values that contain a text. The last result is cached, so that moving
 * between matches is free.
 */
export function nodeSearch(
  bytes: () => Uint8Array,
): (wanted: Wanted, from: NodeId | null) => FoundNode | null {
  let kept: { readonly key: string; readonly matches: readonly number[] } | null = null
  return (wanted, from) => {
    if (wanted.text === '') return null
    const key = `${wanted.caseSensitive} ${wanted.text}`
    if (kept?.key !== key) kept = { key, matches: allMatches(bytes(), wanted) }
    const { matches } = kept
    const total = matches.length
    const around =
      from === null
        ? null
        : { before: lastAtMost(matches, from - 1) + 1, through: lastAtMost(matches, from) + 1 }
    const index = nextMatch(total, wanted, around)
    const node = matches[index]
    return node === undefined ? null : { node, index, total }
  }
}
