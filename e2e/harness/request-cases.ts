import * as fc from 'fast-check'

/** The parts of an OpenAPI operation that requests are generated from. */
export interface DescribedOperation {
  readonly operationId: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query' | 'header'
    readonly schema: JsonSchema
  }[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: JsonSchema }> }
  readonly responses: Record<string, DescribedResponse>
}

/** The parts of a response of an operation that real ones are compared with. */
export interface DescribedResponse {
  readonly headers?: Record<string, object>
  readonly content?: Record<string, { readonly schema?: JsonSchema }>
}

/** The parts of JSON Schema that our requests use. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly anyOf?: readonly JsonSchema[]
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly properties?: Record<string, JsonSchema>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
}

/** A request: its path, query, headers and body. */
export interface RequestCase {
  readonly path: Record<string, string>
  readonly query: Record<string, string>
  readonly headers: Record<string, string>
  readonly body: unknown
  /** The body matches its schema, so it must not be rejected as invalid. */
  readonly bodyFits: boolean
}

const word = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/)
const visible = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((text) => text.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(text))

/** Values that a schema allows. */
function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(fitting))
  switch (schema.type) {
    case 'integer':
      return fc.integer({
        min: Math.max(schema.minimum ?? 0, 0),
        max: Math.min(schema.maximum ?? 2_000_000, 2_000_000),
      })
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(fitting(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 5 })
    case 'object':
      return schema.properties === undefined
        ? fc.dictionary(visible, fc.jsonValue(), { maxKeys: 4 })
        : bodyThatFits(schema)
    default:
      if (schema.format === 'date-time') return fc.constant(new Date(Date.now() + 3_600_000).toISOString())
      if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern))
      // A schema counts code points.
      return visible.map((text) => text + '.'.repeat(Math.max(0, (schema.minLength ?? 0) - [...text].length)))
  }
}

const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary' }),
  fc.bigInt().map(String),
  fc.constant(null),
)

function bodyThatFits(schema: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const required = schema.required ?? []
  // A share has one expiry or none, and `burn` is short for a limit of views: each is covered by itself, both together
  // are invalid. And a URL must be the web application's own, which a schema cannot express.
  const properties = Object.entries(schema.properties ?? {}).filter(
    ([name, { format }]) => name !== 'expires_at' && name !== 'burn' && format !== 'uri',
  )
  const values = Object.fromEntries(properties.map(([name, property]) => [name, fitting(property)]))
  return fc.record(values, { requiredKeys: required.filter((name) => name in values) })
}

function brokenBody(schema: JsonSchema): fc.Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {})
  const broken = fc
    .tuple(bodyThatFits(schema), fc.oneof(fc.constantFrom(...names), word), anything)
    .map(([body, name, value]) => ({ ...body, [name]: value }))
  return fc.oneof(
    broken,
    fc.jsonValue(),
    fc.string({ unit: 'binary' }).map((text) => ({ raw: text.toWellFormed() })),
  )
}

function headerValue(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom('*', '"x"', 'W/"x"', '"x", "y"', 'x', ''),
    fc.stringMatching(/^[!-~]{1,60}$/),
  )
}

/** Operations with rules between the members of a body, which a schema cannot express: no body is known to fit. */
const relatesMembers: ReadonlySet<string> = new Set([
  'compare',
  'createReport',
  'createTrustedPublisher',
  'grantPlan',
  'updateTrustedPublisher',
])

/** Requests to an operation, about half of them valid. Its body may refer to one of the schemas. */
export function requestCases(
  operation: DescribedOperation,
  ids: readonly string[],
  schemas: Readonly<Record<string, JsonSchema>>,
): fc.Arbitrary<RequestCase> {
  const of = (place: string) => operation.parameters.filter((parameter) => parameter.in === place)
  const path = fc.record(
    Object.fromEntries(
      of('path').map(({ name }) => [
        name,
        fc.oneof(
          fc.constantFrom(...ids),
          word,
          visible.map((text) => text.toWellFormed()),
        ),
      ]),
    ),
  )
  const query = fc.record(
    Object.fromEntries(
      of('query').map(({ name, schema }) => [
        name,
        fc
          .oneof(fitting(schema), anything)
          .map((value) => (typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value))),
      ]),
    ),
    { requiredKeys: [] },
  )
  const headers = fc.record(Object.fromEntries(of('header').map(({ name }) => [name, headerValue()])), {
    requiredKeys: [],
  })
  const described = operation.requestBody?.content['application/json']?.schema
  const schema = described?.$ref === undefined ? described : schemas[described.$ref.split('/').at(-1) ?? '']
  const body: fc.Arbitrary<{ body: unknown; bodyFits: boolean }> =
    schema === undefined
      ? fc.constant({ body: undefined, bodyFits: true })
      : fc.oneof(
          bodyThatFits(schema).map((fits) => ({
            body: fits,
            bodyFits: !relatesMembers.has(operation.operationId),
          })),
          brokenBody(schema).map((broken) => ({ body: broken, bodyFits: false })),
        )
  return fc.tuple(path, query, headers, body).map(([inPath, inQuery, inHeaders, sent]) => ({
    path: inPath as Record<string, string>,
    query: inQuery as Record<string, string>,
    headers: inHeaders as Record<string, string>,
    ...sent,
  }))
}
