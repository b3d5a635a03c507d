import { compare } from '#libs/compare/compare.js'
import type { Change, CompareOptions, Comparison } from '#libs/compare/comparison.js'
import { toJsonPatch } from '#libs/compare/to-json-patch.js'
import { toUnifiedText } from '#libs/compare/to-unified-text.js'
import { createJsonStringDecoder } from '#libs/json-bytes/json-string-decoder.js'
import { parseJsonPointer } from '../../body/json-pointer.js'
import { createPointerLocators } from '../../body/pointer-locator.js'
import type { CompareJob, CompareOutcome, CompareSide } from './compare-in-worker.js'

/** The bytes to compare; for a string, its text. `null` if the pointer does not exist in the document. */
function comparedBytes({ bytes, pointer = '' }: CompareSide): Uint8Array | null {
  if (pointer === '') return bytes
  const locator = createPointerLocators()(parseJsonPointer(pointer))
  locator.push(bytes)
  const found = locator.finish()
  if (found === null) return null
  const value = bytes.subarray(found.offset, found.offset + found.length)
  return found.kind === 'string' ? createJsonStringDecoder().push(value) : value
}

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

function summaryJson({ equal, as, summary }: Comparison): string {
  const { added, removed, changed, moved, columnsAdded, columnsRemoved } = summary
  const counts = {
    added,
    removed,
    changed,
    moved,
    columns_added: columnsAdded,
    columns_removed: columnsRemoved,
  }
  return `"equal":${equal},"as":"${as}","summary":${JSON.stringify(counts)}`
}

/** The members that the format adds after the summary. */
function restJson(
  { format, values }: CompareJob,
  comparison: Comparison,
  { patch, text }: { readonly patch: () => string; readonly text: () => string },
): string {
  switch (format) {
    case 'summary':
      return ''
    case 'changes': {
      const { as, changes, truncated } = comparison
      const list = changes.map((change) => changeJson(change, as === 'json' && values === 'json'))
      return `,"changes":[${list.join(',')}],"truncated":${truncated}`
    }
    case 'json-patch':
      return `,"patch":${patch()}`
    case 'text':
      return `,"text":${JSON.stringify(text())}`
    default:
      return format satisfies never
  }
}

/**
 * Compares the values of both sides, and writes the response.
 * @throws CompareError if they cannot be compared this way.
 */
export function compareSides(job: CompareJob): CompareOutcome {
  const [a, b] = [comparedBytes(job.a), comparedBytes(job.b)]
  if (a === null || b === null) return { kind: 'missing', side: a === null ? 'a' : 'b' }
  const { key, ignore, numbers, format, limit } = job
  const options: CompareOptions = {
    // Only JSON can be patched.
    ...(format === 'json-patch' ? { as: 'json' as const } : {}),
    ...{ key, ignore, numbers, maxChanges: format === 'changes' ? limit : 0 },
  }
  const comparison = compare(a, b, options)
  const rest = restJson(job, comparison, {
    patch: () => toJsonPatch(a, b, options),
    text: () => toUnifiedText(a, b, { names: ['a', 'b'] }),
  })
  return { kind: 'done', bytes: new TextEncoder().encode(`{${summaryJson(comparison)}${rest}}`) }
}
