import type { JsonLayout } from './json-output.js'
import { JsonRewriter } from './json-rewriter.js'

/** Writes JSON with other white space. Its memory does not grow with the input. */
export async function* rewriteJson(
  input: AsyncIterable<Uint8Array>,
  layout: JsonLayout,
): AsyncGenerator<Uint8Array> {
  const rewriter = new JsonRewriter(layout)
  for await (const chunk of input) {
    for (let at = 0; at < chunk.length; ) {
      at = rewriter.scan(chunk, at)
      if (rewriter.isFull) yield rewriter.take()
    }
  }
  rewriter.end()
  yield rewriter.take()
}
