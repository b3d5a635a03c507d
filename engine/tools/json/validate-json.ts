import { positionsIn } from '../tool-input-error.js'
import { wholeBytes } from '../whole-input.js'
import { DuplicateKeys } from './duplicate-keys.js'
import { findJsonErrors } from './find-json-errors.js'
import type { JsonError } from './json-errors.js'
import { rewriteJson } from './rewrite-json.js'

/** Findings with their lines and columns, as items of an array in JSON. */
function* placed(bytes: Uint8Array, found: readonly JsonError[]): Generator<string> {
  const positions = positionsIn(
    bytes,
    found.map(({ offset }) => offset),
  )
  for (const [at, { offset, pointer, message }] of found.entries()) {
    const { line, column } = positions[at] ?? { line: 1, column: 1 }
    yield (at === 0 ? '' : ',') + JSON.stringify({ line, column, offset, pointer, message })
  }
}

/** A report in JSON. */
export async function* validateJson(
  input: AsyncIterable<Uint8Array>,
  errorsMax: number,
  { hasComments, warns }: { readonly hasComments: boolean; readonly warns: boolean },
): AsyncGenerator<Uint8Array> {
  const bytes = await wholeBytes(input)
  const duplicates = warns ? new DuplicateKeys(bytes, errorsMax) : undefined
  const { errors, truncated } = findJsonErrors(bytes, errorsMax, { hasComments, duplicates })
  function* pieces(): Generator<string> {
    yield `{"valid":${errors.length === 0},"errors":[`
    yield* placed(bytes, errors)
    yield `],"truncated":${truncated || duplicates?.truncated === true}`
    if (duplicates !== undefined) {
      yield ',"warnings":['
      yield* placed(bytes, duplicates.found)
      yield ']'
    }
    yield '}'
  }
  const encoder = new TextEncoder()
  async function* report(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces()) yield encoder.encode(piece)
  }
  yield* rewriteJson(report(), { indent: '  ', finalNewline: true })
}
