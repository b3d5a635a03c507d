import { html } from '#libs/html/html.js'
import { text } from '../texts/text.js'
import { type LivePage, scriptedPage } from './page.js'

/**
 * The page of the dashboard, empty until its script runs. If the script is missing, as can happen during an
 * upgrade, a message appears after some seconds.
 */
export function dashboardPage(live: LivePage, tools: boolean): Buffer {
  const content = html`<div id="dashboard" data-tools="${tools ? 'on' : 'off'}"><p class="page late">${text('dashboard.late')} <a href="">${text('frame.reload')}</a></p></div>
<noscript><div class="page"><main><h1>${text('dashboard.noScript')}</h1>
<p>${text('dashboard.noScriptText')} <a href="/api/docs">${text('dashboard.noScriptLink')}</a>.</p></main></div></noscript>`
  return scriptedPage(text('status.dashboard'), text('dashboard.about'), content, live)
}
