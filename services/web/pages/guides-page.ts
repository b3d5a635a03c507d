import { type Html, html } from '#libs/html/html.js'
import type { Guide } from '../guides.js'
import type { Site } from '../site.js'
import { text } from '../texts/text.js'
import { type Found, guideSearch } from './guide-page.js'
import { type LivePage, sitePage } from './page.js'

/** Guides are in English, whatever the page's language is. */
const english = html` lang="en"`

/** @param language of its texts where that is not the page's. */
function item(href: string, title: string, summary: string, language = html``): Html {
  return html`<li${language}><a href="${href}">${title}</a><p>${summary}</p></li>\n`
}

function group(title: string, index: number, guides: readonly Guide[]): Html {
  const own = guides.filter((guide) => guide.group === title)
  // The reference of the API is no guide, and what many come for.
  const reference = index === 0 ? item('/api/docs', text('docs.api'), text('docs.apiAbout')) : html``
  return html`<section aria-labelledby="group-${index}"><h2 id="group-${index}" lang="en">${title}</h2>
<ul class="docs-list">
${own.map((guide) => item(`/docs/${guide.name}`, guide.title, guide.summary, english))}${reference}</ul></section>
`
}

/** The list of all guides at `/docs`, after what a search has found, or a note that a page is missing. */
export function guidesPage(
  guides: readonly Guide[],
  site: Site,
  live: LivePage,
  shown: 'all' | 'missing' | Found,
): Buffer {
  const groups = [...new Set(guides.map((guide) => guide.group))]
  const isMissing = shown === 'missing'
  const title = text(isMissing ? 'status.missing' : 'docs.title')
  return sitePage(site, shown === 'all' ? '/docs' : null, {
    title: text('docs.pageTitle', { title: isMissing ? title : text('docs.indexTitle') }),
    description: text('docs.about'),
    content: html`<div class="docs-index">
<h1>${title}</h1>
<p>${text(isMissing ? 'docs.missing' : 'docs.about')}</p>
${guideSearch(typeof shown === 'string' ? null : shown)}${groups.map((name, index) => group(name, index, guides))}</div>`,
    live,
  })
}
