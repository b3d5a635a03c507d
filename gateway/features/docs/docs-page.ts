import { type Html, html } from '#libs/html/html.js'
import { packageVersion } from '#libs/runtime/package-version.js'
import { apiReferenceFiles } from '#shared/core/api-reference.js'
import { type FramedSite, pageFrame } from '#shared/page-frame.js'
import { type IndexedPage, pageHead, previewPictures } from '#shared/page-head.js'
import type { Operation } from '../../http/operation.js'
import { policyRows } from '../../rate-limits/policies.js'
import { describedFields, prose } from './describe-schema.js'
import { describedOperation } from './described-operation.js'
import { tagsOf } from './tags.js'

type Json = Record<string, unknown>

/** How the reference is shown. */
export interface DocsPageSettings {
  /** Whether the header links to the pages of tools. */
  readonly tools: boolean
  /** How the page is indexed. */
  readonly indexed: IndexedPage | null
}

interface Group {
  readonly name: string
  readonly description: string
  readonly operations: readonly Operation[]
}

/** The limits as a table, which scrolls on a phone. */
function limitsTable(): Html {
  const [head = [], ...policies] = policyRows
  const rows = policies.map((row) => html`<tr>${row.map((cell) => html`<td>${prose(cell)}</td>`)}</tr>\n`)
  return html`<div class="docs-table" role="group" aria-label="Rate limits" tabindex="0"><table>
<thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>
`
}

/** The paragraphs of the document's description, with the limits as a table. */
function descriptionOf(document: Json): readonly Html[] {
  const { description } = document.info as { readonly description: string }
  return description
    .split('\n\n')
    .map((paragraph) => (paragraph.startsWith('|') ? limitsTable() : html`<p>${prose(paragraph)}</p>\n`))
}

function anchorOf(group: string): string {
  return group.toLowerCase().replaceAll(' ', '-')
}

/** Links to all operations, with a field that the script makes find one. */
function contents(groups: readonly Group[]): Html {
  const link = ({ operationId, method, path, summary }: Operation): Html =>
    html`<li class="docs-below"><a href="#${operationId}" data-find="${method} ${path}">${prose(summary)}</a></li>\n`
  const lists = groups.map(
    ({ name, operations }) =>
      html`<li><a href="#${anchorOf(name)}">${name}</a></li>\n${operations.map(link)}`,
  )
  return html`<input class="api-find" type="search" aria-label="Find an operation" placeholder="Find an operation" autocomplete="off">
<ul>
${lists}<li><a href="#limits">Limits</a></li>
<li><a href="#schemas">Schemas</a></li>
</ul>`
}

const examples = html`<p>In the examples, <code>TOKEN</code> is an identity token. With an API key, send the header <code>X-API-Key: $KEY</code> instead. <a href="/docs/using-the-api">Using the API</a> says where to get both, and what to do with them.</p>
<p>For programs: <a href="/api/openapi.json">the OpenAPI document</a>, and <a href="/llms.txt">one page of Markdown</a>.</p>
`

function content(groups: readonly Group[], document: Json): Html {
  const { schemas } = document.components as { schemas: Readonly<Record<string, Json>> }
  const sections = groups.map(
    ({ name, description, operations }) => html`<h2 id="${anchorOf(name)}">${name}</h2>
<p>${prose(description)}</p>
${operations.map((one) => describedOperation(one, document))}`,
  )
  const types = Object.entries(schemas).map(
    ([name, schema]) => html`<h3 id="schema-${name}">${name}</h3>
<dl class="api-list">
${describedFields(schema)}</dl>
`,
  )
  const [about, ...limits] = descriptionOf(document)
  return html`<div class="docs">
<article class="docs-guide">
<p class="docs-path"><a href="/docs">Docs</a></p>
<h1>API reference</h1>
<details class="docs-narrow"><summary>All operations</summary>
<nav aria-label="All operations">${contents(groups)}</nav></details>
${about ?? html``}${examples}${sections}<h2 id="limits">Limits</h2>
${limits}<h2 id="schemas">Schemas</h2>
${types}</article>
<div class="docs-side">
<nav class="docs-wide" aria-labelledby="contents-title"><h2 id="contents-title">All operations</h2>
${contents(groups)}</nav>
</div>
</div>`
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
 * Renders the OpenAPI document as a page that is complete without its script, which copies examples and finds operations.
 * @returns a function that returns the page with this nonce.
 */
export function docsPage(
  operations: readonly Operation[],
  document: Json,
  { tools, indexed }: DocsPageSettings,
): (nonce: string) => string {
  const site: FramedSite = { homeUrl: '/', tools, version: packageVersion() }
  const groups = tagsOf(operations.map(({ group }) => group)).map(({ name, description }) => {
    return { name, description, operations: operations.filter(({ group }) => group === name) }
  })
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
${pageHead(title, about, indexed)}<link rel="stylesheet" href="${apiReferenceFiles.style}">
<script type="module" nonce="${nonceMark}" src="${apiReferenceFiles.script}"></script>
</head>
<body>
${pageFrame(site, content(groups, document), { section: 'docs' })}
</body>
</html>
`
  const parts = markup.split(nonceMark)
  return (nonce) => parts.join(nonce)
}
