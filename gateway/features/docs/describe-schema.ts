import { type Html, html } from '#libs/html/html.js'

type Json = Record<string, unknown>

/** Escapes text, and turns code in backticks into `code` elements. */
export function prose(text: string): Html {
  const parts = text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? code(part) : html`${part}`))
  return html`${parts}`
}

export function code(text: string): Html {
  return html`<code>${text}</code>`
}

function joined(parts: readonly Html[], separator: string): Html {
  return html`${parts.flatMap((part, index) => (index === 0 ? [part] : [html`${separator}`, part]))}`
}

const plurals: Readonly<Record<string, string>> = {
  string: 'strings',
  integer: 'integers',
  object: 'objects',
  array: 'lists',
}

/** The bounds of a value, in words. */
function boundsOf(schema: Json, unit: string): readonly string[] {
  const least = schema.minLength ?? schema.minItems ?? schema.minimum
  const most = schema.maxLength ?? schema.maxItems ?? schema.maximum
  const words = unit === '' ? '' : ` ${unit}`
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${words}`]
  if (most !== undefined) return [`at most ${most}${words}`]
  return least === undefined ? [] : [`at least ${least}${words}`]
}

function listWords(schema: Json): Html {
  const items = (schema.items ?? {}) as Json
  const isPlain = Object.keys(items).every(
    (key) => key === 'type' || key === 'properties' || key === 'required',
  )
  const many = isPlain ? plurals[String(items.type)] : undefined
  const words = many === undefined ? html`list of ${typeWords(items)}` : html`list of ${many}`
  return joined([words, ...boundsOf(schema, 'items').map((note) => html`${note}`)], ', ')
}

/** What a schema permits, in words, with links to the schemas that it names. */
export function typeWords(schema: Json): Html {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return html`<a href="#schema-${name}">${name}</a>`
  }
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (Array.isArray(schema.enum))
    return joined(
      schema.enum.map((word) => code(JSON.stringify(word))),
      ' or ',
    )
  if (Array.isArray(schema.anyOf))
    return joined(
      schema.anyOf.map((one) => typeWords(one as Json)),
      ' or ',
    )
  if (schema.type === 'array') return listWords(schema)
  const type = [schema.format ?? schema.type ?? 'any'].flat().join(' or ')
  const { default: fallback } = schema
  const notes = [
    ...boundsOf(schema, schema.maxLength === undefined ? '' : 'characters'),
    ...(fallback === undefined ? [] : [`by default ${JSON.stringify(fallback)}`]),
  ]
  return html`${[type, ...notes].join(', ')}`
}

/** A parameter, a field or a status, as an item of a list of descriptions. */
export function describedItem(
  name: string,
  words: readonly Html[],
  description: unknown,
  more: readonly Html[] = [],
): Html {
  const notes = words.length === 0 ? html`` : html` <span>${joined(words, ', ')}</span>`
  const meanings = [...(description === undefined ? [] : [prose(String(description))]), ...more]
  return html`<div><dt>${code(name)}${notes}</dt>${meanings.map((one) => html`<dd>${one}</dd>`)}</div>\n`
}

/** The schema of an object within a field, in a list, or in one of several alternatives. */
function objectWithin(schema: Json): { readonly suffix: string; readonly schema: Json } | null {
  if (schema.properties !== undefined) return { suffix: '.', schema }
  const { items, anyOf } = schema as { items?: Json; anyOf?: readonly Json[] }
  if (items?.properties !== undefined) return { suffix: '[].', schema: items }
  const alternative = anyOf?.find(({ properties }) => properties !== undefined)
  return alternative === undefined ? null : { suffix: '.', schema: alternative }
}

/** The fields of an object with those of the objects within it, by their paths. */
export function describedFields(schema: Json, prefix = ''): readonly Html[] {
  const required = new Set((schema.required ?? []) as readonly string[])
  return Object.entries((schema.properties ?? {}) as Record<string, Json>).flatMap(([name, property]) => {
    const path = `${prefix}${name}`
    const { description } = property
    const words = [typeWords(property), ...(required.has(name) ? [html`required`] : [])]
    const within = objectWithin(property)
    return [
      describedItem(path, words, description),
      ...(within === null ? [] : describedFields(within.schema, `${path}${within.suffix}`)),
    ]
  })
}
