import { JSONRepairError, jsonrepair } from 'jsonrepair'
import { positionIn } from '../input-position.js'
import { ToolInputError } from '../tool.js'
import { textChunks, wholeText } from '../whole-input.js'
import { jsonTooDeep } from './json-errors.js'
import { rewriteJson } from './rewrite-json.js'

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

async function isJson(text: string): Promise<boolean> {
  try {
    for await (const _chunk of rewriteJson(textChunks(text), { indent: null }));
    return true
  } catch (error) {
    if (error instanceof ToolInputError) return false
    throw error
  }
}

/** Valid JSON comes out as it is; what comes out is always valid. */
export async function* repairJson(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const text = await wholeText(input)
  if (await isJson(text)) {
    yield* textChunks(text)
    return
  }
  const json = repaired(text)
  if (!(await isJson(json))) throw new ToolInputError('not_repairable', 'The text cannot be made JSON.')
  yield* textChunks(json)
}
