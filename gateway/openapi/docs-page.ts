import { createHash } from 'node:crypto'
import { policyRows } from '../limits/policies.js'
import type { Operation } from '../routes/operation.js'

type Json = Record<string, unknown>

/** The text with every character that HTML gives a meaning to replaced by its reference. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Escaped text in which `code` between back ticks is set as code. */
function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

const style = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--accent:light-dark(#0b57d0,#8ab4f8)}
body{font:16px/1.55 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:2rem 1rem 6rem}
h1{margin:0}h2{margin:3rem 0 .5rem;border-bottom:1px solid var(--line)}
nav ul{columns:18rem;list-style:none;padding:0}a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
code,pre{font:.875em/1.5 ui-monospace,monospace;background:var(--soft);border-radius:4px;padding:.1em .3em}
pre{padding:.8em;overflow:auto}article{margin:2rem 0;padding:1rem 1.2rem;border:1px solid var(--line);border-radius:10px}
h3{margin:0;font:600 1rem ui-monospace,monospace;overflow-wrap:anywhere}.method{color:var(--accent);text-transform:uppercase;margin-right:.6em}
.lock{float:right;font-size:.8rem;opacity:.75}table{border-collapse:collapse;width:100%;font-size:.92rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .6rem .35rem 0;border-top:1px solid var(--line)}th{font-weight:600}
h4{margin:1rem 0 .3rem}`

function typeOf(schema: Json | undefined): string {
  if (schema === undefined) return ''
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`
  }
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`
  if (Array.isArray(schema.enum))
    return schema.enum.map((word) => `<code>${escapeHtml(JSON.stringify(word))}</code>`).join(' or ')
  if (schema.type === 'array') return `list of ${typeOf(schema.items as Json)}`
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((one) => typeOf(one as Json)).join(' or ')
  const { minLength, maxLength, minimum } = schema
  const notes = [
    ...(maxLength === undefined ? [] : [`${String(minLength ?? 0)} to ${String(maxLength)} characters`]),
    ...(minimum === undefined ? [] : [`at least ${String(minimum)}`]),
    ...(schema.default === undefined ? [] : [`${JSON.stringify(schema.default)} unless given`]),
  ]
  return escapeHtml([String(schema.type ?? 'any'), ...notes].join(', '))
}

function rows(head: readonly string[], body: readonly (readonly string[])[]): string {
  if (body.length === 0) return ''
  const cells = (tag: string, row: readonly string[]): string =>
    row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')
  return `<table><tr>${cells('th', head)}</tr>${body.map((row) => `<tr>${cells('td', row)}</tr>`).join('')}</table>`
}

function fieldsOf(schema: Json): string {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  return rows(
    ['field', 'type', ''],
    properties.map(([name, property]) => [
      `<code>${escapeHtml(name)}</code>`,
      typeOf(property),
      [required.has(name) ? 'required' : '', prose(String(property.description ?? ''))]
        .filter((text) => text !== '')
        .join('; '),
    ]),
  )
}

function section(title: string, content: string): string {
  return content === '' ? '' : `<h4>${title}</h4>${content}`
}

const needs: Readonly<Record<Operation['access'], string>> = {
  public: '',
  account: '<span class="lock">identity token or API key</span>',
  'identity-token': '<span class="lock">identity token</span>',
}

function article(operation: Operation, described: Json): string {
  const parameters = (described.parameters ?? []) as Json[]
  const body = described.requestBody as { content: Record<string, { schema: Json }> } | undefined
  const responses = Object.entries(described.responses as Record<string, Json>).map(([status, response]) => {
    const content = Object.values((response.content ?? {}) as Record<string, { schema?: Json }>)[0]
    return [`<code>${status}</code>`, prose(String(response.description)), typeOf(content?.schema)]
  })
  return `<article id="${operation.operationId}">
${needs[operation.access]}
<h3><span class="method">${operation.method}</span>${escapeHtml(operation.path)}</h3>
<p>${prose(operation.summary)}.${operation.description === undefined ? '' : ` ${prose(operation.description)}`}</p>
${section(
  'Parameters',
  rows(
    ['name', 'in', 'type', ''],
    parameters.map((parameter) => [
      `<code>${escapeHtml(String(parameter.name))}</code>`,
      String(parameter.in),
      typeOf(parameter.schema as Json),
      prose(String(parameter.description ?? '')),
    ]),
  ),
)}
${section('Body', body === undefined ? '' : fieldsOf(body.content['application/json']?.schema ?? {}))}
${section('Answers', rows(['status', '', 'body'], responses))}
</article>`
}

/** The paragraphs of the description; the table of limits that stands among them is set as one. */
function introduction(description: string): string {
  const [head = [], ...policies] = policyRows
  const limits = rows(
    head,
    policies.map((row) => row.map(prose)),
  )
  return description
    .split('\n\n')
    .map((paragraph) => (paragraph.startsWith('|') ? limits : `<p>${prose(paragraph)}</p>`))
    .join('')
}

/** The documentation page: the OpenAPI document set for people, without a script and with nothing from elsewhere. */
export function docsPage(
  operations: readonly Operation[],
  document: Json,
): { html: Buffer; styleHash: string } {
  const groups = [...new Set(operations.map(({ group }) => group))]
  const paths = document.paths as Record<string, Record<string, Json>>
  const schemas = Object.entries((document.components as { schemas: Record<string, Json> }).schemas)
  const link = ({ operationId, method, path }: Operation): string =>
    `<li><a href="#${operationId}"><code>${method.toUpperCase()}</code> ${escapeHtml(path)}</a></li>`
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Snipkeep API</title><style>${style}</style></head><body>
<header><h1>Snipkeep API</h1>${introduction(String((document.info as Json).description))}
<p>The same as a machine reads it: <a href="/api/openapi.json">openapi.json</a>.</p></header>
<nav><ul>${operations.map(link).join('')}</ul></nav><main>
${groups
  .map((group) => {
    const members = operations.filter((operation) => operation.group === group)
    return `<h2>${escapeHtml(group)}</h2>${members.map((one) => article(one, paths[one.path]?.[one.method] ?? {})).join('\n')}`
  })
  .join('\n')}
<h2>Bodies</h2>
${schemas.map(([name, schema]) => `<article id="schema-${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${fieldsOf(schema)}</article>`).join('\n')}
</main></body></html>
`
  return {
    html: Buffer.from(html),
    styleHash: `sha256-${createHash('sha256').update(style).digest('base64')}`,
  }
}
