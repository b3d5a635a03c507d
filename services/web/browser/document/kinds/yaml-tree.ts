import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseAllDocuments,
  type Scalar,
} from 'yaml'
import { type JsonWriter, jsonWriter } from './json-writer.js'

/** YAML nested more deeply is shown as text. */
const depthMax = 500

function keyText(key: unknown): string {
  if (isScalar(key)) return key.source ?? String(key.value)
  return isAlias(key) ? `*${key.source}` : String(key)
}

function writeScalar(writer: JsonWriter, { value, source, type }: Scalar, key: string | undefined): void {
  if (value === null) writer.literal('null', key)
  else if (typeof value === 'boolean') writer.literal(String(value), key)
  else if (
    (typeof value === 'number' || typeof value === 'bigint') &&
    type === 'PLAIN' &&
    source !== undefined
  )
    writer.literal(source, key)
  else writer.string(typeof value === 'string' ? value : (source ?? String(value)), key)
}

/** Writes a node. An alias stays a name, so that nothing multiplies. */
function writeNode(writer: JsonWriter, node: unknown, key: string | undefined, depth: number): void {
  if (depth > depthMax) throw new RangeError('YAML is nested too deep')
  if (isScalar(node)) writeScalar(writer, node, key)
  else if (isAlias(node)) writer.string(`*${(node satisfies Alias).source}`, key)
  else if (isSeq(node)) {
    writer.open('[', key)
    for (const item of node.items) writeNode(writer, item, undefined, depth + 1)
    writer.close()
  } else if (isMap(node)) {
    writer.open('{', key)
    for (const pair of node.items) writeNode(writer, pair.value, keyText(pair.key), depth + 1)
    writer.close()
  } else if (isPair(node)) writeNode(writer, node.value, keyText(node.key), depth)
  else writer.literal('null', key)
}

function documentsOf(text: string): readonly Document[] | null {
  const documents = parseAllDocuments(text, {
    uniqueKeys: false,
    intAsBigInt: true,
    logLevel: 'silent',
    prettyErrors: false,
  })
  if (!Array.isArray(documents) || documents.length === 0) return null
  return documents.some(({ errors }) => errors.length > 0) ? null : documents
}

/** YAML as JSON, with numbers as spelled and several documents as an array; `null` if it is invalid. */
export function yamlTree(text: string): Uint8Array | null {
  try {
    const documents = documentsOf(text)
    if (documents === null) return null
    const writer = jsonWriter()
    if (documents.length > 1) writer.open('[')
    for (const { contents } of documents) writeNode(writer, contents, undefined, 0)
    if (documents.length > 1) writer.close()
    return writer.bytes()
  } catch {
    return null
  }
}
