import type { Operation } from '../../http/operation.js'

type Json = Record<string, unknown>

/** The value that a schema gives as an example, or the simplest one that it permits. */
function exampleOf(schema: Json, schemas: Readonly<Record<string, Json>>): unknown {
  const { example, default: fallback, properties, items, minimum, type } = schema
  if (typeof schema.$ref === 'string')
    return exampleOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas)
  const [first] = (schema.enum ?? schema.anyOf ?? []) as readonly unknown[]
  if (example !== undefined) return example
  if (schema.const !== undefined) return schema.const
  if (fallback !== undefined) return fallback
  if (schema.enum !== undefined) return first
  if (schema.anyOf !== undefined) return exampleOf(first as Json, schemas)
  if (items !== undefined) return [exampleOf(items as Json, schemas)]
  if (properties !== undefined) return exampleFields(schema, schemas)
  return { object: { planet: 'Mars' }, integer: minimum ?? 1, boolean: true }[String(type)] ?? 'text'
}

/** The required fields; of those that need none, the first. */
function exampleFields(schema: Json, schemas: Readonly<Record<string, Json>>): Json {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  const required = new Set((schema.required ?? []) as readonly string[])
  const shown =
    required.size === 0 ? properties.slice(0, 1) : properties.filter(([name]) => required.has(name))
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property, schemas)]))
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

/** The JSON body that an example sends. */
function bodyArguments(described: Json, schemas: Readonly<Record<string, Json>>): readonly string[] {
  const { content = {} } = (described.requestBody ?? {}) as {
    content?: Readonly<Record<string, { readonly schema: Json }>>
  }
  const schema = content['application/json']?.schema
  return schema === undefined ? [] : [`--json ${quoted(JSON.stringify(exampleOf(schema, schemas)))}`]
}

/**
 * A request of an operation as a command: what its path names, and the token, come from variables of the shell. `null`
 * for what nobody would send by hand.
 */
export function curlExample(operation: Operation, document: Json, described: Json): string | null {
  const { method, path, access, curl } = operation
  if (curl === null) return null
  const { schemas } = document.components as { schemas: Readonly<Record<string, Json>> }
  const [{ url }] = document.servers as readonly [{ readonly url: string }]
  const isUpload = method === 'put' && operation.rawQuery !== undefined
  const sent = curl ?? (isUpload ? ['-T report.csv'] : bodyArguments(described, schemas))
  const address = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => `$${name.toUpperCase()}`)
  // curl chooses the method itself for these: GET, POST with data, and PUT with a file.
  const chosen = sent.some((one) => one.startsWith('-T'))
    ? 'put'
    : sent.some((one) => /^(--json|-d) /.test(one))
      ? 'post'
      : 'get'
  const lines = [
    `curl ${method === chosen ? '' : `-X ${method.toUpperCase()} `}"${url}${address}${isUpload ? '?tool=csv' : ''}"`,
    ...(access === 'public' ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...sent,
  ]
  return lines.join(' \\\n  ')
}
