import { tools } from '#engine/tools/registry.js'
import { type Html, html } from '#libs/html/html.js'
import type { Plan } from '../plans/plan.js'
import type { Site } from '../site.js'
import { type TextName, text } from '../texts/text.js'
import { toolText } from '../texts/tool-pages.js'
import { example } from './example.js'
import { type LivePage, sitePage } from './page.js'
import { planCards } from './plan-cards.js'
import { dataLines } from './shown-content.js'

interface Command {
  readonly does: TextName
  readonly line: string
}

/** Ready to paste once team.csv, and where they stand ID and KEY, exist. */
function commands(baseUrl: string): readonly Command[] {
  return [
    { does: 'landing.signIn', line: `snipkeep login --server ${baseUrl}` },
    { does: 'landing.share', line: 'snipkeep share team.csv' },
    { does: 'landing.fetch', line: `curl "${baseUrl}/api/shares/$ID/raw?pointer=/csv"` },
    {
      does: 'landing.script',
      line: `curl -T team.csv "${baseUrl}/api/shares?tool=csv" -H "X-API-Key: $KEY" -H "Accept: text/plain"`,
    },
  ]
}

function exampleSection(): Html {
  const { path, sizeBytes, tool, lines } = example
  return html`<section aria-labelledby="example-title">
<h2 id="example-title">${text('landing.example')}</h2>
<p>${text('landing.exampleText')}</p>
<div id="example" data-path="${path}" data-size="${sizeBytes}" data-tool="${tool}">
${dataLines(lines, text('landing.exampleData'))}
</div>
</section>`
}

function terminalSection(baseUrl: string): Html {
  const item = ({ does, line }: Command): Html => html`<li>
<h3>${text(does)}</h3>
<div class="command"><code>${line}</code></div>
</li>
`
  return html`<section aria-labelledby="terminal-title">
<h2 id="terminal-title">${text('landing.terminal')}</h2>
<p>${text('landing.terminalText')} <a href="/docs/cli">${text('landing.install')}</a></p>
<ol id="commands" class="commands">
${commands(baseUrl).map(item)}</ol>
</section>`
}

/** Where most begin; the list has all. */
const firstTools = ['json-format', 'csv-to-json', 'json-to-csv', 'sql-format'] as const

/** The tools by what they take, for the script, which offers those that fit. */
function toolsByInput(): string {
  return JSON.stringify(
    tools.map((tool) => ({ name: tool.name, title: toolText(tool).name, kind: tool.input.kind })),
  )
}

/** A field for data, which its script brings to life, and links that work without it. */
function pasteSection(hasTools: boolean): Html {
  const links = tools
    .filter(({ name }) => firstTools.some((first) => first === name))
    .map((tool) => html`<a href="/tools/${tool.name}">${toolText(tool).name}</a>\n`)
  const all = html`${links}<a href="/tools">${text('landing.allTools')}</a>\n`
  return html`<div class="paste" id="paste" data-tools="${hasTools ? toolsByInput() : '[]'}">
<label for="paste-input">${text('landing.paste')}</label>
<textarea id="paste-input" class="paste-input" rows="7" spellcheck="false" autocomplete="off" autocapitalize="off" placeholder="${text('landing.pasteHint')}"></textarea>
<div class="paste-bar" id="paste-bar"></div>
</div>
<nav class="paste-links" aria-label="${text('landing.start')}">${hasTools ? all : html``}<a href="/compare">${text('compare.filesTitle')}</a></nav>`
}

/** The page at `/`: a field for data, an example share, the commands that create one, and the plans; `null` for a link to them. */
export function landingPage(site: Site, live: LivePage, plans: readonly Plan[] | null): Buffer {
  const content = html`<div class="front">
<h1>${text('landing.title')}</h1>
<p>${text('landing.text')}</p>
${pasteSection(site.tools)}
${exampleSection()}
${terminalSection(site.publicBaseUrl)}
<section aria-labelledby="plans-title">
<h2 id="plans-title">${text('landing.plans')}</h2>
${plans === null ? html`<p>${text('landing.plansAt')} <a href="/api/plans">/api/plans</a></p>` : planCards(plans)}
</section>
</div>`
  const [title, description] = [text('landing.pageTitle'), text('landing.description')]
  return sitePage(site, '/', { title, description, content, live, isApp: true })
}
