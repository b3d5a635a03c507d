/**
 * The JSON grammar (RFC 8259) as one table over bytes: `transitions[state | byte]` is the next state, or an action if
 * the byte alone does not decide. States are multiples of 256, so that `|` combines a state and a byte. The table
 * includes UTF-8 (Unicode, table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF, and no byte above 0x7F
 * outside strings, so no byte order mark either.
 */

const width = 256

/** The states that the scanner refers to. */
export const states = {
  /** A value must follow. */
  value: 0 * width,
  /** After `[`: a value or `]`. */
  firstElement: 1 * width,
  /** After `{`: a key or `}`. */
  firstKey: 2 * width,
  /** After `,` in an object. */
  key: 3 * width,
  /** After a key. */
  colon: 4 * width,
  /** After a value in a container. */
  after: 5 * width,
  /** In a number that may end here; so are the next three. */
  zero: 6 * width,
  integer: 7 * width,
  fraction: 8 * width,
  exponent: 9 * width,
  /** The first states within an escape or a character of several bytes, of a string value and of a key. */
  inString: 10 * width,
  inKeyString: 22 * width,
  /** After the minus sign of a number; the states of numbers that may not end, and those of literals, are from here on. */
  minus: 34 * width,
  /** After the first letter of a literal. */
  literal: 38 * width,
  /** In a string value. This and the next state are above all others in tokens: one comparison recognizes strings. */
  string: 48 * width,
  /** In a key. */
  keyString: 49 * width,
  /** The value is complete; only white space may follow. */
  done: 50 * width,
} as const

/** Whether the grammar is within a key. */
export function isInKey(state: number): boolean {
  return state === states.keyString || (state >= states.inKeyString && state < states.minus)
}

const point = 35 * width
const exponentMark = 36 * width
const exponentSign = 37 * width

/** What the scanner does if the byte alone does not decide; every action is above every state. */
export const actions = {
  fail: 51 * width,
  /** The byte ends a string or literal. */
  valueEnd: 52 * width,
  /** The byte is white space after a number. */
  numberEnd: 53 * width,
  openObject: 54 * width,
  openArray: 55 * width,
  closeObject: 56 * width,
  closeArray: 57 * width,
  comma: 58 * width,
  /** The byte begins a comment; only in `commentTransitions`. */
  comment: 59 * width,
} as const

const space = ' \t\n\r'
const hexDigits = '0123456789abcdefABCDEF'
const digits = '0123456789'

function buildTransitions(): Uint16Array {
  const table = new Uint16Array(states.done + width).fill(actions.fail)
  const on = (state: number, characters: string, next: number): void => {
    for (const character of characters) table[state | character.charCodeAt(0)] = next
  }
  const onBytes = (state: number, first: number, last: number, next: number): void => {
    table.fill(next, state | first, (state | last) + 1)
  }
  addStructure(on)
  addNumbers(on)
  addLiterals(on)
  addString(states.string, states.inString, actions.valueEnd, on, onBytes)
  addString(states.keyString, states.inKeyString, states.colon, on, onBytes)
  return table
}

type On = (state: number, characters: string, next: number) => void
type OnBytes = (state: number, first: number, last: number, next: number) => void

function addStructure(on: On): void {
  const { value, firstElement, firstKey, key, colon, after, done } = states
  for (const state of [value, firstElement, firstKey, key, colon, after, done]) on(state, space, state)
  for (const state of [value, firstElement]) {
    on(state, '{', actions.openObject)
    on(state, '[', actions.openArray)
    on(state, '"', states.string)
    on(state, '-', states.minus)
    on(state, '0', states.zero)
    on(state, '123456789', states.integer)
  }
  on(firstElement, ']', actions.closeArray)
  on(firstKey, '}', actions.closeObject)
  for (const state of [firstKey, key]) on(state, '"', states.keyString)
  on(colon, ':', value)
  onEndOfValue(on, after)
}

function onEndOfValue(on: On, state: number): void {
  on(state, ',', actions.comma)
  on(state, '}', actions.closeObject)
  on(state, ']', actions.closeArray)
}

function addNumbers(on: On): void {
  const { minus, zero, integer, fraction, exponent } = states
  on(minus, '0', zero)
  on(minus, '123456789', integer)
  on(integer, digits, integer)
  for (const state of [zero, integer]) on(state, '.', point)
  for (const state of [point, fraction]) on(state, digits, fraction)
  for (const state of [zero, integer, fraction]) on(state, 'eE', exponentMark)
  on(exponentMark, '+-', exponentSign)
  for (const state of [exponentMark, exponentSign, exponent]) on(state, digits, exponent)
  for (const state of [zero, integer, fraction, exponent]) {
    on(state, space, actions.numberEnd)
    onEndOfValue(on, state)
  }
}

/** A literal has one state before each letter but its first. */
function addLiterals(on: On): void {
  let free: number = states.literal
  for (const literal of ['true', 'false', 'null']) {
    for (const state of [states.value, states.firstElement]) on(state, literal.charAt(0), free)
    for (const letter of literal.slice(1, -1)) {
      on(free, letter, free + width)
      free += width
    }
    on(free, literal.slice(-1), actions.valueEnd)
    free += width
  }
}

/** Uses twelve states from `firstFree` on, besides `body`. */
function addString(body: number, firstFree: number, end: number, on: On, onBytes: OnBytes): void {
  const [escaped, hex1, hex2, hex3, hex4] = [0, 1, 2, 3, 4].map((n) => firstFree + n * width) as [
    number,
    number,
    number,
    number,
    number,
  ]
  onBytes(body, 0x20, 0x7f, body)
  on(body, '"', end)
  on(body, '\\', escaped)
  on(escaped, '"\\/bfnrt', body)
  on(escaped, 'u', hex1)
  on(hex1, hexDigits, hex2)
  on(hex2, hexDigits, hex3)
  on(hex3, hexDigits, hex4)
  on(hex4, hexDigits, body)
  addCharacters(body, firstFree + 5 * width, onBytes)
}

/** Multi-byte characters. */
function addCharacters(body: number, firstFree: number, onBytes: OnBytes): void {
  const oneLeft = firstFree
  const twoLeft = firstFree + width
  const threeLeft = firstFree + 2 * width
  const [afterE0, afterEd, afterF0, afterF4] = [3, 4, 5, 6].map((n) => firstFree + n * width) as [
    number,
    number,
    number,
    number,
  ]
  onBytes(body, 0xc2, 0xdf, oneLeft)
  onBytes(body, 0xe0, 0xe0, afterE0)
  onBytes(body, 0xe1, 0xef, twoLeft)
  onBytes(body, 0xed, 0xed, afterEd)
  onBytes(body, 0xf0, 0xf0, afterF0)
  onBytes(body, 0xf1, 0xf3, threeLeft)
  onBytes(body, 0xf4, 0xf4, afterF4)
  onBytes(oneLeft, 0x80, 0xbf, body)
  onBytes(twoLeft, 0x80, 0xbf, oneLeft)
  onBytes(threeLeft, 0x80, 0xbf, twoLeft)
  onBytes(afterE0, 0xa0, 0xbf, oneLeft)
  onBytes(afterEd, 0x80, 0x9f, oneLeft)
  onBytes(afterF0, 0x90, 0xbf, twoLeft)
  onBytes(afterF4, 0x80, 0x8f, twoLeft)
}

/** JSON with comments and with a comma after the last item or member. */
function withComments(strict: Uint16Array): Uint16Array {
  const { value, firstElement, firstKey, key, colon, after, done, zero, integer, fraction, exponent } = states
  const table = strict.slice()
  const slash = 0x2f
  for (const state of [value, firstElement, firstKey, key, colon, after, done])
    table[state | slash] = actions.comment
  for (const state of [zero, integer, fraction, exponent]) table[state | slash] = actions.numberEnd
  // Other closing brackets than that of the container are refused by its kind.
  table[value | 0x5d] = actions.closeArray
  table[key | 0x7d] = actions.closeObject
  return table
}

/** The next state or action, by `state | byte`. */
export const transitions: Uint16Array = buildTransitions()

/** `transitions` of JSON with comments (JSONC). */
export const commentTransitions: Uint16Array = withComments(transitions)
