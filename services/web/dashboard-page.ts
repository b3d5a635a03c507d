import { html } from '#libs/html/html.js'
import { type LivePage, page } from './page.js'

/** The page that the dashboard lives in: it is empty until its script runs. */
export function dashboardPage(live: LivePage): Buffer {
  const content = html`<div id="dashboard"></div>
<noscript><h1>The dashboard needs JavaScript</h1>
<p>Everything that it does can be done by the API as well: <a href="/api/docs">read how</a>.</p></noscript>`
  return page('Snipkeep', 'Snippets, shares, history and API keys.', content, live)
}
