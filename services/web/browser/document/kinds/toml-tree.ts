import { type AST, parseTOML } from 'toml-eslint-parser'
import { jsonWriter } from './json-writer.js'

/** A table being assembled from keys anywhere in the text. */
type Table = Map<string, Value>
type Value = Table | Value[] | AST.TOMLValue

function isTable(value: Value | undefined): value is Table {
  return value instanceof Map
}

function keysOf(key: AST.TOMLKey): readonly string[] {
  return key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value))
}

/** The table at this key, created on demand; of an array of tables the last one. */
function tableAt(table: Table, key: string): Table {
  const value = table.get(key)
  const last = Array.isArray(value) ? value.at(-1) : value
  if (isTable(last)) return last
  const made: Table = new Map()
  table.set(key, made)
  return made
}

function contentOf(node: AST.TOMLContentNode): Value {
  if (node.type === 'TOMLArray') return node.elements.map(contentOf)
  if (node.type !== 'TOMLInlineTable') return node
  const table: Table = new Map()
  for (const pair of node.body) put(table, pair)
  return table
}

function put(table: Table, { key, value }: AST.TOMLKeyValue): void {
  const keys = keysOf(key)
  const inner = keys.slice(0, -1).reduce(tableAt, table)
  inner.set(keys.at(-1) ?? '', contentOf(value))
}

/** The table that a header opens. Its keys are resolved, with an index for each array of tables. */
function openTable(root: Table, node: AST.TOMLTable): Table {
  const keys = keysOf(node.key)
  const outer = keys.slice(0, -1).reduce(tableAt, root)
  const last = keys.at(-1) ?? ''
  if (node.kind === 'standard') return tableAt(outer, last)
  const made: Table = new Map()
  const items = outer.get(last)
  if (Array.isArray(items)) items.push(made)
  else outer.set(last, [made])
  return made
}

/** TOML as JSON, with numbers and times as spelled; `null` if it is invalid. */
export function tomlTree(text: string): Uint8Array | null {
  try {
    const [top] = parseTOML(text, { tomlVersion: '1.0' }).body
    const root: Table = new Map()
    for (const node of top.body) {
      if (node.type === 'TOMLKeyValue') put(root, node)
      else {
        const table = openTable(root, node)
        for (const pair of node.body) put(table, pair)
      }
    }
    const writer = jsonWriter()
    const write = (value: Value, key?: string): void => {
      if (isTable(value)) {
        writer.open('{', key)
        for (const [name, member] of value) write(member, name)
        writer.close()
      } else if (Array.isArray(value)) {
        writer.open('[', key)
        for (const one of value) write(one)
        writer.close()
      } else if (value.type === 'TOMLValue') {
        const source = text.slice(value.range[0], value.range[1])
        if (value.kind === 'string') writer.string(value.value, key)
        else if (value.kind === 'integer' || value.kind === 'boolean' || /^[-+]?\d+[.e]/i.test(source))
          writer.literal(source, key)
        else writer.string(source, key)
      }
    }
    write(root)
    return writer.bytes()
  } catch {
    return null
  }
}
