import { positionsIn } from '../input-position.js'
import { textChunks, wholeBytes } from '../whole-input.js'
import { findJsonErrors } from './find-json-errors.js'

/** A report in JSON. */
export async function* validateJson(
  input: AsyncIterable<Uint8Array>,
  errorsMax: number,
): AsyncGenerator<Uint8Array> {
  const bytes = await wholeBytes(input)
  const { errors, truncated } = findJsonErrors(bytes, errorsMax)
  const positions = positionsIn(
    bytes,
    errors.map(({ offset }) => offset),
  )
  const report = {
    valid: errors.length === 0,
    errors: errors.map(({ offset, pointer, message }, at) => {
      const { line, column } = positions[at] ?? { line: 1, column: 1 }
      return { line, column, offset, pointer, message }
    }),
    truncated,
  }
  yield* textChunks(`${JSON.stringify(report, null, 2)}\n`)
}
