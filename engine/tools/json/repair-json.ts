import { JSONRepairError, jsonrepair } from 'jsonrepair'
import { lastAtMost } from '../../count-while.js'
import { markLength } from '../../mark-length.js'
import type { OnToolNote } from '../tool.js'
import { positionInText, ToolInputError } from '../tool-input-error.js'
import { byteChunks, decodedText, textChunks, wholeBytes } from '../whole-input.js'
import { explainRepair, UnexplainedRepair } from './explain-repair.js'
import { jsonTooDeep } from './json-errors.js'
import { rewriteJson } from './rewrite-json.js'

/** The library takes some hundred bytes of memory for each one. */
const bytesMax = 2 * 1_048_576

function repaired(text: string): string {
  try {
    return jsonrepair(text)
  } catch (error) {
    // It calls itself for each level.
    if (error instanceof RangeError) throw jsonTooDeep({ offset: 0, line: 1, column: 1 })
    if (!(error instanceof JSONRepairError)) throw error
    const position = positionInText(text, error.position)
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

/** What a repair may do beyond what is certain. */
export interface RepairOptions {
  readonly backslashes: 'refuse' | 'double'
  readonly brackets: 'sure' | 'guess'
}

/** Doubles the backslashes of texts in which one begins no escape, but for those that are doubled or before a quote. */
function doubled(text: string): string {
  const pieces: string[] = []
  let from = 0
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', from)) {
    let [end, hasOther] = [at + 1, false]
    while (end < text.length && text[end] !== '"') {
      if (text[end] !== '\\') end += 1
      else {
        hasOther ||= !/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(end + 1, end + 6))
        end += 2
      }
    }
    // A text that never ends is left to the library.
    if (end >= text.length) break
    const literal = text.slice(at, end + 1)
    pieces.push(text.slice(from, at))
    pieces.push(
      hasOther
        ? literal.replace(/\\(\\|")|\\/g, (found, kept) => (kept === undefined ? '\\\\' : found))
        : literal,
    )
    from = end + 1
  }
  return pieces.join('') + text.slice(from)
}

/** How many places a note names. */
const placesMax = 10

/** A note for each kind of change, with its places. */
function tellChanges(text: string, changes: ReturnType<typeof explainRepair>, onNote: OnToolNote): void {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const kinds = new Map<string, number[]>()
  for (const { change, at } of changes)
    kinds.set(change, [...(kinds.get(change) ?? []).slice(0, placesMax), at])
  const counts = new Map<string, number>()
  for (const { change } of changes) counts.set(change, (counts.get(change) ?? 0) + 1)
  for (const [change, places] of kinds) {
    const count = counts.get(change) ?? 0
    const lines = places.slice(0, placesMax).map((at) => lastAtMost(starts, at) + 1)
    const more = count > placesMax ? ' and others' : ''
    const message = `${change}: ${count}, in line ${[...new Set(lines)].join(', ')}${more}.`
    onNote({ message, position: positionInText(text, places[0] ?? 0) })
  }
}

/** Tells what the repair changed. @throws ToolInputError `repair_unsure` where it would change texts or nesting. */
function explain(text: string, json: string, { brackets }: RepairOptions, onNote: OnToolNote): void {
  try {
    tellChanges(text, explainRepair(text, json, brackets === 'guess'), onNote)
  } catch (error) {
    if (!(error instanceof UnexplainedRepair)) throw error
    throw new ToolInputError(
      'repair_unsure',
      `Repairing this would be a guess: ${error.message}`,
      positionInText(text, error.at),
    )
  }
}

/**
 * Valid JSON of any size comes out as it is; what comes out is always valid, and its texts and nesting are those of the
 * input.
 * @throws ToolInputError `not_utf8`, `input_too_large`, `not_repairable`, or `repair_unsure` with its place.
 */
export async function* repairJson(
  input: AsyncIterable<Uint8Array>,
  options: RepairOptions,
  onNote: OnToolNote,
): AsyncGenerator<Uint8Array> {
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
  const text = decodedText(bytes)
  const json = repaired(options.backslashes === 'double' ? doubled(text) : text)
  if (!(await isJson(textChunks(json))))
    throw new ToolInputError('not_repairable', 'The text cannot be made JSON.')
  explain(text, json, options, onNote)
  yield* textChunks(json)
}
