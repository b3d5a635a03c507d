import { readJsonPair } from '../compare/json/compare-json.js'
import { type JsonNodes, keyNumbers, keyText, nodeAfter } from '../compare/json/json-nodes.js'
import { markLength } from '../mark-length.js'
import { membersAt, typeAt } from './value-nodes.js'

/** A value and a schema, read together, so that equal values have one number. */
export interface SchemaDocuments {
  readonly nodes: JsonNodes
  readonly schema: number
  readonly value: number
  /** The first of all keys as strings, for schemas of keys. */
  readonly firstKeyNode: number
}

const options = { numbers: 'value' } as const
const encoder = new TextEncoder()
const noSchema = encoder.encode('null')

/** Keywords that ask whether values are equal. */
const equalityKeywords = ['enum', 'const', 'uniqueItems']

/** Whether a schema may ask whether values of a document are equal. */
function asksEquality(schema: Uint8Array): boolean {
  return keyNumbers(readJsonPair(noSchema, schema, options), equalityKeywords).length > 0
}

/** All keys of the nodes, in the order of their numbers, as JSON. */
function keysText(nodes: JsonNodes): string {
  const keys = Array.from({ length: nodes.keyTable.count() - 1 }, (_key, at) => keyText(nodes, at + 1))
  return JSON.stringify(keys)
}

/** An array of a document and of keys. */
function withKeys(document: Uint8Array, nodes: JsonNodes): Uint8Array {
  const keys = encoder.encode(`,${keysText(nodes)}]`)
  const both = new Uint8Array(1 + document.length + keys.length)
  both[0] = 0x5b
  both.set(document, 1)
  both.set(keys, 1 + document.length)
  return both
}

/** Where the schema and the value are in nodes whose second document is the schema, or in the first as its members. */
function placesOf(
  nodes: JsonNodes,
  isApart: boolean,
  second: number,
): readonly [schema: number, value: number] | null {
  if (isApart) return [second, 0]
  if (typeAt(nodes, 0) !== 'object') return null
  const members = membersAt(nodes, 0)
  const [schema, value] = [members.get('schema'), members.get('data')]
  return schema === undefined || value === undefined || members.size !== 2 ? null : [schema, value]
}

/**
 * Reads a value and its schema. Without a schema, the value is an object of both: `schema` and `data`; `null` unless it is.
 * @throws CompareError if either is not JSON, or too deep; the schema is the second document.
 */
export function readSchemaDocuments(value: Uint8Array, schema: Uint8Array | null): SchemaDocuments | null {
  const behind = schema?.subarray(markLength(schema)) ?? noSchema
  const valueIds = schema === null || asksEquality(behind)
  const nodes = readJsonPair(value, behind, options, valueIds)
  const places = placesOf(nodes, schema !== null, nodes.secondNode)
  if (places === null) return null
  if (keyNumbers(nodes, ['propertyNames']).length === 0)
    return { nodes, schema: places[0], value: places[1], firstKeyNode: 0 }
  // Keys are values, too: they are read behind the schema.
  const all = readJsonPair(value, withKeys(behind, nodes), options, valueIds)
  const at = all.secondNode + 1
  const [schemaAt, valueAt] = placesOf(all, schema !== null, at) ?? places
  return { nodes: all, schema: schemaAt, value: valueAt, firstKeyNode: nodeAfter(all, at) + 1 }
}
