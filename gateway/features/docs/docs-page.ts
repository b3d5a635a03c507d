import { type Html, html } from '#libs/html/html.js'
import { apiReferencePath } from '#shared/core/api-reference.js'
import { type IndexedPage, pageHead, previewPictures } from '#shared/page-head.js'
import type { Operation } from '../../http/operation.js'
import { policyRows } from '../../rate-limits/policies.js'

type Json = Record<string, unknown>

/** Escapes text, and turns code in backticks into `code` elements. */
function prose(text: string): readonly Html[] {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? code(part) : html`${part}`))
}

function code(text: string): Html {
  return html`<code>${text}</code>`
}

function joined(parts: readonly Html[], separator: string): readonly Html[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [html`${separator}`, part]))
}

const style = html`
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--accent:light-dark(#0b57d0,#8ab4f8)}
html{background:light-dark(#fff,#15171c);color:light-dark(#16181d,#e9eaee)}body{overflow-wrap:anywhere;font:16px/1.55 system-ui,sans-serif;margin:0}.plain{padding:1rem 1.25rem 6rem}
h1{margin:0}h2{margin:3rem 0 .5rem;border-bottom:1px solid var(--line)}
nav ul{columns:18rem;list-style:none;padding:0}a{color:var(--accent);text-underline-offset:.2em}
code,pre{font:.875em/1.5 ui-monospace,monospace;background:var(--soft);border-radius:4px;padding:.1em .3em}
pre{padding:.8em;overflow:auto}article{margin:2rem 0;padding:1rem 1.2rem;border:1px solid var(--line);border-radius:10px}
h3{margin:0;font:600 1rem ui-monospace,monospace;overflow-wrap:anywhere}.method{color:var(--accent);text-transform:uppercase;margin-right:.6em}
.lock{float:right;font-size:.8rem;opacity:.75}table{border-collapse:collapse;width:100%;font-size:.92rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .6rem .35rem 0;border-top:1px solid var(--line)}th{font-weight:600}
h4{margin:1rem 0 .3rem}.limits{overflow-x:auto}.limits :is(th,td){min-width:5.5rem;overflow-wrap:break-word}
/* With scripts the reference takes its place; where that does not come, it appears. */
@keyframes appear{from{visibility:hidden}}@media (scripting:enabled){.plain{animation:appear 1ms 5s both}}`

/** The way to the other pages, which stays when the reference takes the place of the rest; in its colors. */
const homeStyle = html`
.home{display:flex;gap:1.25rem;padding:.6rem 1.25rem;font:15px/1.5 system-ui,sans-serif}
.plain,.home{max-width:60rem;margin:0 auto}#reference:not(:empty),.home:has(+#reference:not(:empty)){max-width:none}
.home a{color:var(--scalar-color-accent,light-dark(#0b57d0,#8ab4f8));text-underline-offset:.2em}`

function typeOf(schema: Json | undefined): Html {
  if (schema === undefined) return html``
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return html`<a href="#schema-${name}">${name}</a>`
  }
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (Array.isArray(schema.enum)) {
    const words = schema.enum.map((word) => code(JSON.stringify(word)))
    return html`${joined(words, ' or ')}`
  }
  if (schema.type === 'array') return html`list of ${typeOf(schema.items as Json)}`
  if (Array.isArray(schema.anyOf)) {
    const types = schema.anyOf.map((one) => typeOf(one as Json))
    return html`${joined(types, ' or ')}`
  }
  const { minLength, maxLength, minimum } = schema
  const notes = [
    ...(maxLength === undefined ? [] : [`${String(minLength ?? 0)} to ${String(maxLength)} characters`]),
    ...(minimum === undefined ? [] : [`at least ${String(minimum)}`]),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ]
  return html`${[String(schema.type ?? 'any'), ...notes].join(', ')}`
}

type Cell = Html | readonly Html[]

/** Empty without rows. */
function table(head: readonly string[], body: readonly (readonly Cell[])[]): Html {
  if (body.length === 0) return html``
  const rows = body.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)
  return html`<table><tr>${head.map((name) => html`<th>${name}</th>`)}</tr>${rows}</table>`
}

function fieldsOf(schema: Json): Html {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  return table(
    ['field', 'type', ''],
    properties.map(([name, property]) => {
      const notes = [
        ...(required.has(name) ? [html`required`] : []),
        ...(property.description === undefined ? [] : [html`${prose(String(property.description))}`]),
      ]
      return [code(name), typeOf(property), joined(notes, '; ')]
    }),
  )
}

function section(title: string, content: Html): Html {
  return content.markup === '' ? content : html`<h4>${title}</h4>${content}`
}

const needs: Readonly<Record<Operation['access'], Html>> = {
  public: html``,
  account: html`<span class="lock">identity token or API key</span>`,
  'identity-token': html`<span class="lock">identity token</span>`,
  operator: html`<span class="lock">identity token of an operator</span>`,
}

function article(operation: Operation, described: Json): Html {
  const parameters = (described.parameters ?? []) as Json[]
  const body = described.requestBody as { content: Record<string, { schema: Json }> } | undefined
  const sent = body?.content['application/json'] ?? body?.content['application/x-www-form-urlencoded']
  const responses = Object.entries(described.responses as Record<string, Json>).map(([status, response]) => {
    const content = Object.values((response.content ?? {}) as Record<string, { schema?: Json }>)[0]
    return [code(status), prose(String(response.description)), typeOf(content?.schema)]
  })
  return html`<article id="${operation.operationId}">
${needs[operation.access]}
<h3><span class="method">${operation.method}</span>${operation.path}</h3>
<p>${prose(operation.summary)}.${operation.description === undefined ? '' : html` ${prose(operation.description)}`}</p>
${section(
  'Parameters',
  table(
    ['name', 'in', 'type', ''],
    parameters.map((parameter) => [
      code(String(parameter.name)),
      html`${String(parameter.in)}`,
      typeOf(parameter.schema as Json),
      prose(String(parameter.description ?? '')),
    ]),
  ),
)}
${section('Body', fieldsOf(sent?.schema ?? {}))}
${section('Responses', table(['status', '', 'body'], responses))}
</article>`
}

/** Renders the description, with the limits as a table. */
function introduction(description: string): readonly Html[] {
  const [head = [], ...policies] = policyRows
  const limits = table(
    head,
    policies.map((row) => row.map(prose)),
  )
  const scrolling = html`<div class="limits" role="group" aria-label="Rate limits" tabindex="0">${limits}</div>`
  return description
    .split('\n\n')
    .map((paragraph) => (paragraph.startsWith('|') ? scrolling : html`<p>${prose(paragraph)}</p>`))
}

const title = 'Snipkeep API reference: REST and OpenAPI'
const about =
  'The REST API of Snipkeep: save, share, compare and convert JSON, CSV and text. Every endpoint with its parameters, responses and examples in curl.'

/** How the page is indexed. */
export function indexedDocs(publicBaseUrl: string): IndexedPage {
  return { url: `${publicBaseUrl}/api/docs`, picture: `${publicBaseUrl}${previewPictures.site}` }
}

/** Replaced by the nonce in each copy. */
const nonceMark = 'nonce-of-this-copy'

/**
 * Renders the OpenAPI document as HTML without external resources. Its script replaces all of it with an interactive
 * reference.
 * @returns a function that returns the page with this nonce.
 */
export function docsPage(
  operations: readonly Operation[],
  document: Json,
  indexed: IndexedPage | null,
): (nonce: string) => string {
  const groups = [...new Set(operations.map(({ group }) => group))]
  const paths = document.paths as Record<string, Record<string, Json>>
  const schemas = Object.entries((document.components as { schemas: Record<string, Json> }).schemas)
  const link = ({ operationId, method, path }: Operation): Html =>
    html`<li><a href="#${operationId}">${code(method.toUpperCase())} ${path}</a></li>`
  const { markup } = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
${pageHead(title, about, indexed)}<meta property="csp-nonce" nonce="${nonceMark}">
<style nonce="${nonceMark}" data-plain>${style}</style><style nonce="${nonceMark}">${homeStyle}</style>
<script type="module" nonce="${nonceMark}" src="${apiReferencePath}"></script></head><body>
<nav class="home" aria-label="Snipkeep"><a href="/">Snipkeep</a><a href="/docs">Guides</a></nav><div id="reference"></div><div class="plain" data-plain>
<header><h1>Snipkeep API</h1>${introduction(String((document.info as Json).description))}
<p>For machines: <a href="/api/openapi.json">openapi.json</a>.</p></header>
<nav><ul>${operations.map(link)}</ul></nav><main>
${groups.map((group) => {
  const members = operations.filter((operation) => operation.group === group)
  return html`<h2>${group}</h2>${members.map((one) => html`${article(one, paths[one.path]?.[one.method] ?? {})}\n`)}`
})}<h2>Schemas</h2>
${schemas.map(([name, schema]) => html`<article id="schema-${name}"><h3>${name}</h3>${fieldsOf(schema)}</article>\n`)}</main></div></body></html>
`
  const parts = markup.split(nonceMark)
  return (nonce) => parts.join(nonce)
}
