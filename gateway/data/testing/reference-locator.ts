import { createByteBuffer } from '../../body/body-bytes.js'
import type { JsonPointer } from '../json-pointer.js'
import type { LocatedValue, PointerLocator } from '../pointer-locator.js'

/** A container on the path of the pointer. */
interface Level {
  readonly isArray: boolean
  /** In an array: the index of the current element, and the one that the pointer names, or -1. */
  index: number
  readonly wanted: number
}

type Mode = 'between' | 'string' | 'escape'

const openingQuote = Uint8Array.of(0x22)
const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

function kindOf(byte: number): LocatedValue['kind'] {
  switch (byte) {
    case quote:
      return 'string'
    case openBrace:
      return 'object'
    case openBracket:
      return 'array'
    case 0x74:
    case 0x66:
      return 'boolean'
    case 0x6e:
      return 'null'
    default:
      return 'number'
  }
}

/** A byte-by-byte locator in TypeScript, with which `pointer-locate.wat` must agree; it keeps no bytes. */
export function createReferenceLocator(pointer: JsonPointer): PointerLocator {
  /** The open containers on the path; any other open container is inside the last of them. */
  const levels: Level[] = []
  const key = createByteBuffer()
  let depth = 0
  let mode: Mode = 'between'
  /** Whether the next value is the one that the next step names. */
  let matches = true
  let keyNext = false
  let inKey = false
  let offset = 0
  let opened: { readonly kind: LocatedValue['kind']; readonly offset: number } | null = null
  let found: LocatedValue | null = null

  const onTheWay = (): boolean => depth === levels.length
  const token = (): string => pointer[levels.length - 1] ?? ''
  /** Each UTF-16 unit of a key takes at most six bytes, as an escape. */
  const keyBytesMax = (): number => token().length * 6 + 2

  function beginValue(byte: number, at: number): void {
    if (!matches || !onTheWay()) return
    matches = false
    found = null
    if (levels.length === pointer.length) opened = { kind: kindOf(byte), offset: offset + at }
  }

  /** Records the end of the wanted value, unless a container in it is still open. */
  function endValue(end: number): void {
    if (opened === null || !onTheWay()) return
    found = { ...opened, length: offset + end - opened.offset }
    opened = null
  }

  function enterElement(level: Level): void {
    matches = level.isArray && level.index === level.wanted
    keyNext = !level.isArray
  }

  function open(byte: number, at: number): void {
    const leads = matches && onTheWay() && levels.length < pointer.length
    beginValue(byte, at)
    depth++
    if (!leads) return
    const step = pointer[levels.length] ?? ''
    const level = {
      isArray: byte === openBracket,
      index: 0,
      wanted: /^(0|[1-9]\d*)$/.test(step) ? Number(step) : -1,
    }
    levels.push(level)
    enterElement(level)
  }

  function close(at: number): void {
    endValue(at)
    if (onTheWay()) {
      levels.pop()
      matches = false
    }
    depth--
    endValue(at + 1)
  }

  function nextMember(at: number): void {
    endValue(at)
    const level = levels.at(-1)
    if (level === undefined || !onTheWay()) return
    level.index++
    enterElement(level)
  }

  function openString(at: number): void {
    mode = 'string'
    inKey = keyNext && onTheWay()
    if (inKey) {
      key.clear()
      key.append(openingQuote)
    } else beginValue(quote, at)
  }

  function closeString(end: number): void {
    mode = 'between'
    if (!inKey) {
      endValue(end)
      return
    }
    matches = key.length <= keyBytesMax() && JSON.parse(key.view().toString()) === token()
    inKey = false
    keyNext = false
  }

  /** Continues a string, and returns where it stopped. A key longer than any match is not kept further. */
  function readString(chunk: Uint8Array, from: number): number {
    let at = from
    if (mode === 'escape') {
      mode = 'string'
      at++
    }
    while (at < chunk.length && chunk[at] !== quote && chunk[at] !== backslash) at++
    const ends = at < chunk.length && chunk[at] === quote
    if (at < chunk.length && !ends) mode = 'escape'
    const stop = Math.min(at + 1, chunk.length)
    if (inKey && key.length <= keyBytesMax()) {
      key.append(chunk.subarray(from, Math.min(stop, from + keyBytesMax() + 1)))
    }
    if (ends) closeString(stop)
    return stop
  }

  function readBetween(byte: number, at: number): void {
    switch (byte) {
      case quote:
        openString(at)
        break
      case openBrace:
      case openBracket:
        open(byte, at)
        break
      case closeBrace:
      case closeBracket:
        close(at)
        break
      case comma:
        nextMember(at)
        break
      case colon:
        break
      case 0x20:
      case 0x09:
      case 0x0a:
      case 0x0d:
        endValue(at)
        break
      default:
        beginValue(byte, at)
    }
  }

  return {
    push(chunk) {
      let at = 0
      while (at < chunk.length) {
        if (mode === 'between') {
          readBetween(chunk[at] ?? 0, at)
          at++
        } else at = readString(chunk, at)
      }
      offset += chunk.length
    },
    finish() {
      // Only a number or literal that is the whole document can still be open.
      endValue(0)
      return found
    },
    bytes: () => null,
  }
}
