import { wholeBytes } from '../whole-input.js'
import type { Comments, JsonLayout } from './json-output.js'
import { JsonRewriter } from './json-rewriter.js'

/** Each byte can become thousands, so a piece of the input is written before the next one is read. */
const pieceBytes = 4_096

/** Writes JSON with other white space. Its memory does not grow with the input. */
export async function* rewriteJson(
  input: AsyncIterable<Uint8Array>,
  layout: JsonLayout,
): AsyncGenerator<Uint8Array> {
  const rewriter = new JsonRewriter(layout)
  for await (const chunk of input)
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      rewriter.scan(chunk.subarray(at, at + pieceBytes))
      yield* rewriter.out.takeFull()
    }
  rewriter.end()
  yield* rewriter.out.takeAll()
}

/** The whole of an input without white space and comments, checked. */
export function compactJson(
  input: AsyncIterable<Uint8Array>,
  comments: Exclude<Comments, 'keep'> = 'refuse',
): Promise<Uint8Array> {
  return wholeBytes(rewriteJson(input, { indent: null, comments }))
}
