import { html } from '#libs/html/html.js'
import { type LivePage, scriptedPage } from './page.js'

/** The page that the dashboard lives in: it is empty until its script runs. */
export function dashboardPage(live: LivePage): Buffer {
  const content = html`<div id="dashboard"></div>
<noscript><div class="page"><main><h1>The dashboard needs JavaScript</h1>
<p>Everything that it does can be done by the API as well: <a href="/api/docs">read how</a>.</p></main></div></noscript>`
  return scriptedPage('Snipkeep', 'Snippets, shares, history and API keys.', content, live)
}
