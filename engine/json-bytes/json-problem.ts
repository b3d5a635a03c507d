import { states } from './json-grammar.js'

const expectations: ReadonlyMap<number, string> = new Map([
  [states.value, 'a value'],
  [states.firstElement, 'a value or ]'],
  [states.firstKey, 'a key in double quotes or }'],
  [states.key, 'a key in double quotes'],
  [states.colon, 'a colon'],
  [states.done, 'the end of the text'],
])

function seen(byte: number): string {
  if (byte > 0x20 && byte < 0x7f) return String.fromCharCode(byte)
  return byte === 0x0a ? 'the end of the line' : `byte 0x${byte.toString(16).padStart(2, '0')}`
}

function problemInString(state: number, byte: number): string {
  if (state >= states.string) {
    if (byte < 0x20)
      return 'A string holds a control character; write it as an escape, such as \\n or \\u0009.'
    return `A string holds ${seen(byte)}, which is not UTF-8.`
  }
  const first = state >= states.inKeyString ? states.inKeyString : states.inString
  const step = (state - first) / 256
  if (step === 0) return `\\${seen(byte)} is not an escape; write \\\\ for a backslash.`
  return step < 5
    ? `\\u needs four hexadecimal digits; there is ${seen(byte)}.`
    : `A string holds ${seen(byte)}, which is not UTF-8.`
}

/** The problem of a byte that this state of the grammar does not allow. */
export function jsonProblem(state: number, byte: number, isInObject: boolean): string {
  const expected = expectations.get(state)
  if (expected !== undefined) return `Expected ${expected}, found ${seen(byte)}.`
  const close = isInObject ? '}' : ']'
  if (state === states.after) return `Expected a comma or ${close}, found ${seen(byte)}.`
  if ((state >= states.inString && state < states.minus) || state >= states.string)
    return problemInString(state, byte)
  if (state >= states.literal) return `Expected true, false or null, found ${seen(byte)} in it.`
  return `A number cannot continue with ${seen(byte)}.`
}

/** The problem of a text that ends in this state, with so many containers open. */
export function endProblem(state: number, depth: number): string {
  return depth === 0 && state === states.value
    ? 'The text holds no value.'
    : 'The text ends before its value is complete.'
}
