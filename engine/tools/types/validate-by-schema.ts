import { CompareError } from '../../compare/comparison.js'
import { pointersTo } from '../../schema/pointers-to.js'
import { readSchemaDocuments, type SchemaDocuments } from '../../schema/schema-documents.js'
import { SchemaError } from '../../schema/schema-error.js'
import { validateValue } from '../../schema/validate-value.js'
import { findJsonErrors } from '../json/find-json-errors.js'
import { rewriteJson } from '../json/rewrite-json.js'
import { type InputPosition, positionIn, positionsIn, ToolInputError } from '../tool-input-error.js'
import { wholeBytes } from '../whole-input.js'

/** What is wrong with text that is not JSON, in the words of `json-validate`. */
function notJson(
  bytes: Uint8Array,
  what: 'input' | 'schema',
  { code, message }: CompareError,
): ToolInputError {
  const first = code === 'invalid_json' ? findJsonErrors(bytes, 1).errors[0] : undefined
  const position = first === undefined ? null : { ...positionIn(bytes, first.offset), pointer: first.pointer }
  const said = first?.message ?? message
  if (what === 'input')
    return new ToolInputError(code === 'too_deep' ? 'json_too_deep' : 'json_invalid', said, position)
  const place = position === null ? '' : ` at line ${position.line}, column ${position.column}`
  return new ToolInputError('schema_invalid', `The schema is not JSON${place}: ${said}`)
}

function read(bytes: Uint8Array, schema: Uint8Array | null): SchemaDocuments {
  try {
    const documents = readSchemaDocuments(bytes, schema)
    if (documents !== null) return documents
  } catch (error) {
    if (!(error instanceof CompareError)) throw error
    const isSchema = error.document === 'second' && schema !== null
    throw notJson(isSchema ? schema : bytes, isSchema ? 'schema' : 'input', error)
  }
  throw new ToolInputError(
    'schema_missing',
    'There is no schema: give one as the option schema, or as the input {"schema": …, "data": …}.',
    { offset: 0, line: 1, column: 1, pointer: '' },
  )
}

/** The pointers of nodes of the schema, as they come: from the root of the input if the schema is in it. */
function schemaPointers({ nodes, schema }: SchemaDocuments, wanted: readonly number[]): readonly string[] {
  const root = schema < nodes.secondNode ? 0 : schema
  const sorted = [...new Set(wanted)].sort((one, other) => one - other)
  const pointers = pointersTo(nodes, root, sorted)
  const byNode = new Map(sorted.map((node, at) => [node, pointers[at] ?? '']))
  return wanted.map((node) => byNode.get(node) ?? '')
}

/** A schema that is refused, with its place: in the input, or else in words. */
function refused(documents: SchemaDocuments, { code, message, node }: SchemaError): ToolInputError {
  const { nodes, schema } = documents
  const isValue = node < nodes.secondNode && schema >= nodes.secondNode
  const pointer = isValue ? '' : (schemaPointers(documents, [node])[0] ?? '')
  if (schema >= nodes.secondNode)
    return new ToolInputError(code, `${message} In the schema: ${pointer === '' ? 'its root' : pointer}.`)
  const position: InputPosition = { ...positionIn(nodes.first, nodes.starts[node] ?? 0), pointer }
  return new ToolInputError(code, message, position)
}

function* report(documents: SchemaDocuments, errorsMax: number): Generator<string> {
  const { nodes } = documents
  const { breaks, truncated } = validateValue(documents, errorsMax)
  const found = breaks.map(({ node }) => node)
  const pointers = pointersTo(nodes, 0, found)
  const keywords = schemaPointers(
    documents,
    breaks.map(({ keyword }) => keyword),
  )
  const positions = positionsIn(
    nodes.first,
    found.map((node) => nodes.starts[node] ?? 0),
  )
  yield `{"valid":${breaks.length === 0},"errors":[`
  for (const [at, { message }] of breaks.entries()) {
    const { line, column, offset } = positions[at] ?? { line: 1, column: 1, offset: 0 }
    const error = { line, column, offset, pointer: pointers[at], schema: keywords[at], message }
    yield `${at === 0 ? '' : ','}${JSON.stringify(error)}`
  }
  yield `],"truncated":${truncated}}`
}

/** A report in JSON on what a schema does not accept. */
export async function* validateBySchema(
  input: AsyncIterable<Uint8Array>,
  schema: string,
  errorsMax: number,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const bytes = await wholeBytes(input)
  const documents = read(bytes, schema === '' ? null : encoder.encode(schema))
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      for (const piece of report(documents, errorsMax)) yield encoder.encode(piece)
    } catch (error) {
      throw error instanceof SchemaError ? refused(documents, error) : error
    }
  }
  yield* rewriteJson(pieces(), { indent: '  ', finalNewline: true })
}
