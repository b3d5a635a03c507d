import type { JsonLayout } from '../json/json-output.js'
import { rewriteJson } from '../json/rewrite-json.js'
import { inferShape } from './infer-shape.js'
import type { Samples } from './sample-options.js'
import { formatName } from './string-formats.js'
import { listedValues, typesOf, type ValueShape } from './value-shape.js'

interface SchemaOptions {
  readonly samples: Samples
  readonly formats: boolean
  readonly enums: boolean
  readonly closed: boolean
}

/** Writes a schema piece by piece; keywords of several types stand side by side, since each is about its type alone. */
class SchemaWriter {
  private readonly options: SchemaOptions

  constructor(options: SchemaOptions) {
    this.options = options
  }

  *document(shape: ValueShape): Generator<string> {
    yield '{"$schema":"https://json-schema.org/draft/2020-12/schema"'
    yield* this.keywords(shape, ',')
    yield '}'
  }

  private *schema(shape: ValueShape): Generator<string> {
    yield '{'
    yield* this.keywords(shape, '')
    yield '}'
  }

  private *keywords(shape: ValueShape, separator: string): Generator<string> {
    const types = typesOf(shape)
    if (types.length === 0) return
    yield `${separator}"type":${JSON.stringify(types.length === 1 ? types[0] : types)}`
    const listed = this.options.enums ? listedValues(shape) : null
    const format = this.options.formats && shape.strings > 0 ? formatName(shape.formats) : null
    if (listed !== null) yield `,"enum":${JSON.stringify(shape.nulls > 0 ? [...listed, null] : listed)}`
    else if (format !== null) yield `,"format":${JSON.stringify(format)}`
    if (shape.objects > 0) yield* this.members(shape)
    if (shape.items !== null) {
      yield ',"items":'
      yield* this.schema(shape.items)
    }
  }

  private *members({ members, anyMember, objects, isIncomplete }: ValueShape): Generator<string> {
    if (members === null) {
      if (anyMember === null) return
      yield ',"additionalProperties":'
      yield* this.schema(anyMember)
      return
    }
    if (members.size > 0) {
      yield ',"properties":{'
      let separator = ''
      for (const [key, member] of members) {
        yield `${separator}${JSON.stringify(key)}:`
        yield* this.schema(member.shape)
        separator = ','
      }
      yield '}'
    }
    const required = [...members].filter(([, member]) => member.objects === objects).map(([key]) => key)
    if (required.length > 0) yield `,"required":${JSON.stringify(required)}`
    if (this.options.closed && !isIncomplete) yield ',"additionalProperties":false'
  }
}

/** A JSON Schema (2020-12) that all samples satisfy. */
export async function* writeJsonSchema(
  input: AsyncIterable<Uint8Array>,
  options: SchemaOptions,
  layout: JsonLayout,
): AsyncGenerator<Uint8Array> {
  const shape = await inferShape(input, options.samples)
  const encoder = new TextEncoder()
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (const piece of new SchemaWriter(options).document(shape)) yield encoder.encode(piece)
  }
  yield* rewriteJson(pieces(), layout)
}
