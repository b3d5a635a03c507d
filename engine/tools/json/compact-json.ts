import { GrowingBytes } from '../whole-input.js'
import type { Comments } from './json-output.js'
import { JsonRewriter } from './json-rewriter.js'

/** The whole of an input without white space and comments, checked. */
export async function compactJson(
  input: AsyncIterable<Uint8Array>,
  comments: Exclude<Comments, 'keep'> = 'refuse',
): Promise<Uint8Array> {
  const rewriter = new JsonRewriter({ indent: null, comments })
  const bytes = new GrowingBytes()
  for await (const chunk of input)
    for (let at = 0; at < chunk.length; ) {
      at = rewriter.scan(chunk, at)
      rewriter.moveTo(bytes)
    }
  rewriter.end()
  rewriter.moveTo(bytes)
  return bytes.whole()
}
