import { type Html, html } from '#libs/html/html.js'
import type { Site } from '../site.js'
import { type TextName, text } from '../texts/text.js'
import { example } from './example.js'
import { type LivePage, sitePage } from './page.js'
import { dataLines } from './share-page.js'

interface Command {
  readonly does: TextName
  readonly line: string
}

/** Ready to paste once KEY, team.csv and ID exist. */
function commands(baseUrl: string): readonly Command[] {
  const key = '-H "X-API-Key: $KEY"'
  return [
    { does: 'landing.save', line: `curl -T team.csv "${baseUrl}/api/snippets?tool=csv" ${key}` },
    {
      does: 'landing.share',
      line: `curl -T team.csv "${baseUrl}/api/shares?tool=csv" ${key} -H "Accept: text/plain"`,
    },
    { does: 'landing.fetch', line: `curl "${baseUrl}/api/shares/$ID/raw?pointer=/csv"` },
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
<p>${text('landing.terminalText')} <a href="/dashboard/keys">${text('landing.createKey')}</a></p>
<ol id="commands" class="commands">
${commands(baseUrl).map(item)}</ol>
</section>`
}

/** The page at `/`: what this is, an example share, the commands that create one, and the prices. */
export function landingPage(site: Site, live: LivePage): Buffer {
  const { publicBaseUrl, tools } = site
  const content = html`<h1>${text('landing.title')}</h1>
<p>${text('landing.text')}</p>
<nav class="actions" aria-label="${text('landing.start')}">
<a class="button first" href="/dashboard">${text('landing.dashboard')}</a>
${tools ? html`<a class="button" href="/tools">${text('landing.tools')}</a>\n` : html``}<a class="button" href="/docs">${text('landing.guides')}</a>
</nav>
${exampleSection()}
${terminalSection(publicBaseUrl)}
<section aria-labelledby="plans-title">
<h2 id="plans-title">${text('landing.plans')}</h2>
<div id="plans"><p>${text('landing.plansAt')} <a href="/api/plans">/api/plans</a></p></div>
</section>`
  const [title, description] = [text('landing.pageTitle'), text('landing.description')]
  return sitePage(site, '/', { title, description, content, live, isApp: true })
}
