import { closeBracket, comma, openBrace, openBracket, valueEnd } from '../../json-bytes/json-bytes.js'
import { stepsOf } from '../../json-pointer.js'
import { OutputBuffer } from '../output-buffer.js'
import { ToolInputError } from '../tool-input-error.js'
import type { Comments, JsonLayout } from './json-output.js'
import { PathEvaluation, type PathStep } from './path/evaluate-json-path.js'
import type { JsonPath, Selector } from './path/json-path.js'
import { parseJsonPath } from './path/parse-json-path.js'
import { compactJson, rewriteJson } from './rewrite-json.js'

/** Of the keys in a path that is written. */
const keyBytesMax = 1_000_000

/** The path of a node as RFC 9535 normalizes it. */
function normalizedPath(evaluation: PathEvaluation, steps: readonly PathStep[]): string {
  if (evaluation.keyBytes > keyBytesMax)
    throw new ToolInputError('path_too_long', 'A path to what was found is longer than a million bytes.')
  const escaped = (key: string): string =>
    JSON.stringify(key).slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")
  return `$${steps.map((step) => (step >= 0 ? `[${step}]` : `['${escaped(evaluation.keyOf(step))}']`)).join('')}`
}

/** A pointer as a query of one node: a number is an item of an array, or a member of an object. */
function pointedNode(bytes: Uint8Array, pointer: string): number {
  const steps = stepsOf(pointer)
  if (steps === null)
    throw new ToolInputError('path_invalid', 'The path is neither JSONPath nor a JSON Pointer.')
  let node = 0
  for (const step of steps) {
    const isIndex = bytes[node] !== openBrace && /^(0|[1-9]\d{0,14})$/.test(step)
    const selector: Selector = isIndex ? { kind: 'index', index: Number(step) } : { kind: 'name', name: step }
    const query: JsonPath = { isRelative: true, segments: [{ isDescendant: false, selectors: [selector] }] }
    // Of repeated keys the last one counts, as in JSON.parse.
    const child = [...new PathEvaluation(bytes).nodes(query, node)].at(-1)
    if (child === undefined) throw new ToolInputError('path_not_found', `There is nothing at ${pointer}.`)
    node = child
  }
  return node
}

function* found(bytes: Uint8Array, path: string, result: 'values' | 'paths'): Generator<Uint8Array> {
  const out = new OutputBuffer()
  if (!path.startsWith('$')) {
    const node = pointedNode(bytes, path)
    out.putRange(bytes, node, valueEnd(bytes, node))
    yield* out.takeAll()
    return
  }
  const evaluation = new PathEvaluation(bytes)
  const encoder = new TextEncoder()
  out.put(openBracket)
  let count = 0
  for (const node of evaluation.nodes(parseJsonPath(path))) {
    if (count++ > 0) out.put(comma)
    if (result === 'values') out.putRange(bytes, node, valueEnd(bytes, node))
    else out.putAll(encoder.encode(JSON.stringify(normalizedPath(evaluation, evaluation.steps))))
    yield* out.takeFull()
  }
  out.put(closeBracket)
  yield* out.takeAll()
}

/** What is looked for, and what is read. */
export interface QueryOptions {
  readonly path: string
  readonly result: 'values' | 'paths'
  readonly comments: Exclude<Comments, 'keep'>
}

/** The value at a JSON Pointer, or an array of what a JSONPath finds. */
export async function* queryJson(
  input: AsyncIterable<Uint8Array>,
  { path, result, comments }: QueryOptions,
  layout: JsonLayout,
): AsyncGenerator<Uint8Array> {
  if (path.startsWith('$')) parseJsonPath(path)
  const bytes = await compactJson(input, comments)
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield* found(bytes, path, result)
  }
  yield* rewriteJson(chunks(), layout)
}
