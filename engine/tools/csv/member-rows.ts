import { comma, openBrace, stringEnd, valueEnd } from '../../json-bytes/json-bytes.js'
import { eachChild } from '../../json-bytes/json-walk.js'
import { ToolInputError } from '../tool-input-error.js'
import { GrowingBytes } from '../whole-input.js'

const [open, close] = ['[', ']'].map((text) => new TextEncoder().encode(text)) as [Uint8Array, Uint8Array]

/**
 * The members of an object as an array of objects whose first member, `key`, is their key; all compact JSON.
 * @throws ToolInputError `not_rows` if it is no object, or a member is none.
 */
export function memberRows(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== openBrace) throw new ToolInputError('not_rows', 'The value is not an object.')
  const rows = new GrowingBytes()
  const encoder = new TextEncoder()
  rows.append(open)
  eachChild({ bytes }, 0, (start, child, index) => {
    const keyEnd = stringEnd(bytes, child)
    const end = valueEnd(bytes, start)
    if (bytes[start] !== openBrace) {
      const key = new TextDecoder().decode(bytes.subarray(child, Math.min(keyEnd, child + 100)))
      throw new ToolInputError('not_rows', `The member ${key} is not an object.`)
    }
    rows.append(encoder.encode(`${index > 0 ? ',' : ''}{"key":`))
    rows.append(bytes.subarray(child, keyEnd))
    if (end > start + 2) rows.append(Uint8Array.of(comma))
    rows.append(bytes.subarray(start + 1, end))
    return end
  })
  rows.append(close)
  return rows.whole()
}
