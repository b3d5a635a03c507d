import { html } from '#libs/html/html.js'
import type { Site } from '../site.js'
import { text } from '../texts/text.js'
import { page } from './page.js'

/** The page at `/`: what this is, and where to go from here. */
export function landingPage({ homeUrl }: Pick<Site, 'homeUrl'>): Buffer {
  const content = html`<h1>${text('landing.title')}</h1>
<p>${text('landing.text')}</p>
<nav class="actions" aria-label="${text('landing.start')}">
<a class="button first" href="/dashboard">${text('landing.dashboard')}</a>
<a class="button" href="/api/docs">${text('landing.docs')}</a>
<a class="button" href="/api/plans">${text('landing.plans')}</a>
<a class="button" href="/api/openapi.json">${text('landing.openapi')}</a>
</nav>`
  return page({ title: 'Snipkeep', description: text('page.tagline'), content, homeUrl })
}
