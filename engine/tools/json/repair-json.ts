import { JSONRepairError, jsonrepair } from 'jsonrepair'
import { markLength } from '../../mark-length.js'
import { positionIn } from '../input-position.js'
import { ToolInputError } from '../tool.js'
import { byteChunks, decodedText, textChunks, wholeBytes } from '../whole-input.js'
import { jsonTooDeep } from './json-errors.js'
import { rewriteJson } from './rewrite-json.js'

/** The library takes some hundred bytes of memory for each one. */
const bytesMax = 2 * 1_048_576

function repaired(text: string): string {
  try {
    return jsonrepair(text)
  } catch (error) {
    const encoder = new TextEncoder()
    // It calls itself for each level.
    if (error instanceof RangeError) throw jsonTooDeep({ offset: 0, line: 1, column: 1 })
    if (!(error instanceof JSONRepairError)) throw error
    const offset = encoder.encode(text.slice(0, error.position)).length
    const position = positionIn(encoder.encode(text), offset)
    throw new ToolInputError('not_repairable', 'The text cannot be made JSON from here on.', position)
  }
}

async function isJson(chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  try {
    for await (const _chunk of rewriteJson(chunks, { indent: null }));
    return true
  } catch (error) {
    if (error instanceof ToolInputError) return false
    throw error
  }
}

/**
 * Valid JSON of any size comes out as it is; what comes out is always valid.
 * @throws ToolInputError `not_utf8`, `input_too_large` or `not_repairable`.
 */
export async function* repairJson(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const whole = await wholeBytes(input)
  const bytes = whole.subarray(markLength(whole))
  if (await isJson(byteChunks(bytes))) {
    yield* byteChunks(bytes)
    return
  }
  if (bytes.length > bytesMax)
    throw new ToolInputError(
      'input_too_large',
      `Text that is not JSON can be repaired up to ${bytesMax / 1024} KiB.`,
    )
  const json = repaired(decodedText(bytes))
  if (!(await isJson(textChunks(json))))
    throw new ToolInputError('not_repairable', 'The text cannot be made JSON.')
  yield* textChunks(json)
}
