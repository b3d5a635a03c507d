import { compare } from '#engine/compare/compare.js'
import type { Change, CompareOptions, Comparison } from '#engine/compare/comparison.js'
import { toJsonPatch } from '#engine/compare/to-json-patch.js'
import { toUnifiedText } from '#engine/compare/to-unified-text.js'
import { OutputBuffer } from '#engine/tools/output-buffer.js'
import type { ComparisonJob } from '../domain/job.js'

/** A change as JSON. JSON values are copied verbatim; others are written as strings. */
function changeJson({ op, pointer, newPointer, key, column, from, to }: Change, copies: boolean): string {
  const text = (value: string | undefined): string | undefined =>
    value === undefined || copies ? value : JSON.stringify(value)
  const members: readonly (readonly [string, string | undefined])[] = [
    ['op', JSON.stringify(op)],
    ['pointer', JSON.stringify(pointer)],
    ['new_pointer', JSON.stringify(newPointer)],
    ['key', JSON.stringify(key)],
    ['column', JSON.stringify(column)],
    ['from', text(from)],
    ['to', text(to)],
  ]
  const present = members.filter(([, value]) => value !== undefined)
  return `{${present.map(([name, value]) => `"${name}":${value}`).join(',')}}`
}

function summaryJson({ equal, as, summary, guessedKeys }: Comparison): string {
  const { added, removed, changed, moved, columnsAdded, columnsRemoved } = summary
  const counts = {
    added,
    removed,
    changed,
    moved,
    columns_added: columnsAdded,
    columns_removed: columnsRemoved,
  }
  const keys = guessedKeys.length === 0 ? '' : `,"guessed_keys":${JSON.stringify(guessedKeys)}`
  return `"equal":${equal},"as":"${as}"${keys},"summary":${JSON.stringify(counts)}`
}

/** The most bytes of listed changes; a client that needs more compares on its machine. */
const changesBytesMax = 4 * 1_048_576

function* changesJson({ values }: ComparisonJob, { as, changes, truncated }: Comparison): Generator<string> {
  yield ',"changes":['
  let left = changesBytesMax
  let isCut = truncated
  for (const [index, change] of changes.entries()) {
    const text = changeJson(change, as === 'json' && values === 'json')
    left -= Buffer.byteLength(text) + 1
    isCut ||= left < 0
    if (left < 0) break
    yield index === 0 ? text : `,${text}`
  }
  yield `],"truncated":${isCut}`
}

/** The members that the format adds after the summary. */
function* restJson(
  job: ComparisonJob,
  comparison: Comparison,
  { patch, text }: Readonly<Record<'patch' | 'text', () => Iterable<string>>>,
): Generator<string> {
  switch (job.format) {
    case 'summary':
      return
    case 'changes':
      yield* changesJson(job, comparison)
      return
    case 'json-patch':
      yield ',"patch":'
      yield* patch()
      return
    case 'text':
      yield ',"text":"'
      for (const line of text()) yield JSON.stringify(line).slice(1, -1)
      yield '"'
      return
    default:
      job.format satisfies never
  }
}

/**
 * Compares two documents; yields the response in pieces.
 * @throws CompareError if they cannot be compared this way.
 */
export function* compareDocuments(
  job: ComparisonJob,
  a: Uint8Array,
  b: Uint8Array,
): Generator<Uint8Array, void, undefined> {
  const { key, numbers, format, limit, quotes, comment, skip } = job
  const options: CompareOptions = {
    // Only JSON can be patched.
    ...(format === 'json-patch' ? { as: 'json' as const } : {}),
    ...{ key, numbers, maxChanges: format === 'changes' ? limit : 0, maxChangeUnits: changesBytesMax },
    ...{ quotes, comment, skip },
    ignore: job.ignore.length === 0 ? undefined : job.ignore,
  }
  const comparison = compare(a, b, options)
  const output = new OutputBuffer()
  output.putText(`{${summaryJson(comparison)}`)
  const rest = restJson(job, comparison, {
    patch: () => toJsonPatch(a, b, options),
    text: () => toUnifiedText(a, b, { names: ['a', 'b'] }),
  })
  for (const text of rest) {
    output.putText(text)
    yield* output.takeFull()
  }
  output.putText('}')
  yield* output.takeAll()
}
