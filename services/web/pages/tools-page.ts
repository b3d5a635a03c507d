import { tools } from '#engine/tools/registry.js'
import type { Format, ToolDescription } from '#engine/tools/tool.js'
import { type Html, html } from '#libs/html/html.js'
import type { Site } from '../site.js'
import { type TextName, text } from '../texts/text.js'
import { toolText } from '../texts/tool-pages.js'
import { comparePath } from './compare-files-page.js'
import { type LivePage, sitePage } from './page.js'
import { formatName } from './tool-page.js'

/** The heading under which a tool is listed, by what it takes. */
const groupOfKind: Readonly<Record<Format['kind'], TextName>> = {
  json: 'kind.json',
  ndjson: 'kind.json',
  csv: 'kind.csv',
  yaml: 'kind.yaml',
  xml: 'kind.xml',
  sql: 'kind.sql',
  jwt: 'tools.encodings',
  text: 'tools.encodings',
}

/** What makes something of nearly any text is listed under what it makes. */
function groupOf({ input, output }: ToolDescription): TextName {
  return groupOfKind[input.kind === 'text' ? output.kind : input.kind]
}

/** @param words what else finds it. */
function card(path: string, title: string, words: string, formats: string, summary: string): Html {
  return html`<li class="tools-item" data-words="${words}"><a href="${path}">${title}</a> <span class="tool-format">${formats}</span><p>${summary}</p></li>
`
}

function item(tool: ToolDescription): Html {
  const { name, input, output } = tool
  const formats = [...new Set([formatName(input), formatName(output)])].join(' → ')
  const { name: heading, summary, title, words } = toolText(tool)
  return card(`/tools/${name}`, heading, `${name} ${title} ${words}`, formats, summary)
}

/** Comparing takes two inputs and has a page of its own. */
function compareGroup(): Html {
  const formats = [text('kind.json'), text('kind.csv'), text('kind.text')].join(', ')
  return html`<section class="tools-group" aria-labelledby="group-compare"><h2 id="group-compare">${text('compare.title')}</h2>
<ul class="tools-list">
${card(comparePath, text('compare.filesTitle'), text('compare.words'), formats, text('compare.about'))}</ul></section>
`
}

function group(name: TextName): Html {
  const own = tools.filter((tool) => groupOf(tool) === name)
  return html`<section class="tools-group" aria-labelledby="group-${name}"><h2 id="group-${name}">${text(name)}</h2>
<ul class="tools-list">
${own.map(item)}</ul></section>
`
}

/** The list of all tools at `/tools`. */
export function toolsPage(site: Site, live: LivePage): Buffer {
  const groups = [...new Set(tools.map(groupOf))]
  const content = html`<article class="tools" id="tools">
<h1>${text('tools.title')}</h1>
<p>${text('tools.about')}</p>
<div class="tools-find" id="find"></div>
${groups.map(group)}${compareGroup()}
<p class="tool-privacy">${text('tool.privacy')} <a href="/api/docs">${text('landing.docs')}</a></p>
</article>`
  return sitePage(site, '/tools', {
    title: text('tools.pageTitle'),
    description: text('tools.description'),
    isApp: true,
    content,
    live,
  })
}
