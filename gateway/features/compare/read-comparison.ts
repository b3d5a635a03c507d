import type { z } from 'zod'
import type { FieldError } from '#libs/core/domain-error.js'
import { depthMax } from '../../body/body-errors.js'
import { createEnvelopeScanner, type RawJson } from '../../body/envelope-scanner.js'
import { parseBodyFields } from '../../body/parse-fields.js'
import { requireJsonObject } from '../../body/require-json-object.js'
import type { CreatePointerLocator, LocatedValue } from '../../data/pointer-locator.js'
import { comparisonRequest } from './compare-schemas.js'

/** The validated fields of a comparison, and the bytes of each inline `data`. */
export interface ReadComparison {
  readonly fields: z.infer<typeof comparisonRequest>
  readonly data: Readonly<Record<SideName, Buffer | null>>
}

/** The two sides. */
export type SideName = 'a' | 'b'
const sides = ['a', 'b'] as const
const names: ReadonlySet<string> = new Set(Object.keys(comparisonRequest.shape))
const sideNames: ReadonlySet<string> = new Set(Object.keys(comparisonRequest.shape.a.shape))
const emptyObject = Buffer.from('{}')

/** Replaces these values by empty objects. */
function without(bytes: Uint8Array, values: readonly LocatedValue[]): Buffer {
  const parts: Uint8Array[] = []
  let at = 0
  for (const { offset, length } of [...values].sort((one, other) => one.offset - other.offset)) {
    parts.push(bytes.subarray(at, offset), emptyObject)
    at = offset + length
  }
  return Buffer.concat([...parts, bytes.subarray(at)])
}

interface Members {
  readonly fields: Readonly<Record<string, unknown>>
  readonly problems: readonly FieldError[]
}

/** The members of one object, each at most once. */
function readMembers(
  bytes: Uint8Array,
  fields: ReadonlySet<string>,
  rawFields?: ReadonlySet<string>,
): Members {
  const scanner = createEnvelopeScanner({
    fields,
    data: null,
    ...(rawFields === undefined ? {} : { rawFields }),
  })
  scanner.push(bytes)
  return scanner.finish()
}

/** A side without its data, and its problems. A value that is not an object is left for the schema to reject. */
function readSide(
  name: SideName,
  raw: unknown,
): { readonly value: unknown; readonly problems: FieldError[] } {
  const { text } = raw as RawJson
  if (!text.startsWith('{')) return { value: JSON.parse(text), problems: [] }
  const { fields, problems } = readMembers(Buffer.from(text), sideNames)
  const placed = problems.map((problem) => ({ ...problem, pointer: `/${name}${problem.pointer}` }))
  return { value: { ...fields }, problems: placed }
}

/**
 * Reads the body of a comparison, in which `data` of each side is not parsed.
 * @throws DomainError for every way in which a body is rejected (400, 413).
 */
export async function readComparison(
  bytes: Buffer,
  createPointerLocator: CreatePointerLocator,
): Promise<ReadComparison> {
  await requireJsonObject(bytes, depthMax + sides.length)
  const data: Record<SideName, LocatedValue | null> = { a: null, b: null }
  for (const name of sides) {
    const locator = createPointerLocator([name, 'data'])
    locator.push(bytes)
    data[name] = locator.finish()
  }
  const located = sides.flatMap((name) => data[name] ?? [])
  const envelope = readMembers(without(bytes, located), names, new Set(sides))
  const fields: Record<string, unknown> = { ...envelope.fields }
  const problems = [...envelope.problems]
  for (const name of sides) {
    if (fields[name] !== undefined) {
      const side = readSide(name, fields[name])
      fields[name] = side.value
      problems.push(...side.problems)
    }
    const kind = data[name]?.kind ?? 'object'
    if (kind !== 'object')
      problems.push({
        pointer: `/${name}/data`,
        code: 'not_an_object',
        detail: 'data must be a JSON object.',
      })
  }
  const bytesOf = (value: LocatedValue | null): Buffer | null =>
    value && bytes.subarray(value.offset, value.offset + value.length)
  return {
    fields: parseBodyFields(comparisonRequest, fields, problems),
    data: { a: bytesOf(data.a), b: bytesOf(data.b) },
  }
}
