import { type Alias, isAlias, isMap, isNode, isPair, isScalar, isSeq, type Scalar } from 'yaml'
import { documentsOf } from '#engine/tools/yaml/yaml-documents.js'
import { foreignTag } from '#engine/tools/yaml/yaml-tags.js'
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

/** Writes a node. A tag is the key of what has it, as with `tags=keep`. */
function writeNode(writer: JsonWriter, node: unknown, key: string | undefined, depth: number): void {
  if (depth > depthMax) throw new RangeError('YAML is nested too deep')
  const tag = isNode(node) ? foreignTag(node) : null
  if (tag !== null) writer.open('{', key)
  writeUntagged(writer, node, tag ?? key, depth)
  if (tag !== null) writer.close()
}

/** An alias stays a name, so that nothing multiplies. */
function writeUntagged(writer: JsonWriter, node: unknown, key: string | undefined, depth: number): void {
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

/** YAML as JSON, with numbers as spelled and several documents as an array; `null` if it is invalid. */
export function yamlTree(text: string): Uint8Array | null {
  try {
    const documents = documentsOf(text, { intAsBigInt: true })
    if (documents.length === 0) return null
    const writer = jsonWriter()
    if (documents.length > 1) writer.open('[')
    for (const { contents } of documents) writeNode(writer, contents, undefined, 0)
    if (documents.length > 1) writer.close()
    return writer.bytes()
  } catch {
    return null
  }
}
