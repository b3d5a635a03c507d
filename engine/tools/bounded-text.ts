import { ToolInputError } from './tool.js'
import { wholeText } from './whole-input.js'

/**
 * The text of an input for a tool whose library holds a tree of it, many times as large.
 * @throws ToolInputError `input_too_large`, or `not_utf8`.
 */
export async function boundedText(input: AsyncIterable<Uint8Array>, bytesMax: number): Promise<string> {
  async function* bounded(): AsyncGenerator<Uint8Array> {
    let length = 0
    for await (const chunk of input) {
      length += chunk.length
      if (length > bytesMax)
        throw new ToolInputError('input_too_large', `This tool takes at most ${bytesMax / 1024} KiB.`)
      yield chunk
    }
  }
  return wholeText(bounded())
}
