import { positionsIn } from '../input-position.js'
import { wholeBytes } from '../whole-input.js'
import { findJsonErrors } from './find-json-errors.js'
import { rewriteJson } from './rewrite-json.js'

/** A report in JSON. */
export async function* validateJson(
  input: AsyncIterable<Uint8Array>,
  errorsMax: number,
  hasComments: boolean,
): AsyncGenerator<Uint8Array> {
  const bytes = await wholeBytes(input)
  const { errors, truncated } = findJsonErrors(bytes, errorsMax, hasComments)
  const positions = positionsIn(
    bytes,
    errors.map(({ offset }) => offset),
  )
  const encoder = new TextEncoder()
  async function* report(): AsyncGenerator<Uint8Array> {
    yield encoder.encode(`{"valid":${errors.length === 0},"errors":[`)
    for (const [at, { offset, pointer, message }] of errors.entries()) {
      const { line, column } = positions[at] ?? { line: 1, column: 1 }
      const error = JSON.stringify({ line, column, offset, pointer, message })
      yield encoder.encode(at === 0 ? error : `,${error}`)
    }
    yield encoder.encode(`],"truncated":${truncated}}`)
  }
  yield* rewriteJson(report(), { indent: '  ', finalNewline: true })
}
