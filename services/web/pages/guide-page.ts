import { type Html, html } from '#libs/html/html.js'
import type { FoundHeading } from '../find-headings.js'
import type { Guide } from '../guides.js'
import type { Site } from '../site.js'
import { speech } from '../texts/speech.js'
import { text } from '../texts/text.js'
import { type LivePage, sitePage } from './page.js'

/** What a search has found. */
export interface Found {
  readonly asked: string
  readonly headings: readonly FoundHeading[]
}

function foundItem({ guide: { name, title }, heading }: FoundHeading): Html {
  return heading === null
    ? html`<li><a href="/docs/${name}">${title}</a></li>\n`
    : html`<li><a href="/docs/${name}#${heading.id}">${heading.text}</a> <span>${title}</span></li>\n`
}

function foundTitle({ asked, headings }: Found): string {
  return headings.length === 0
    ? text('docs.none', { asked })
    : text('docs.found', { count: headings.length, asked })
}

/** The search over the headings of all guides, and what it has found; the script shows that as the reader types. */
export function guideSearch(found: Found | null): Html {
  const shown = found ?? { asked: '', headings: [] }
  return html`<form class="docs-search" role="search" action="/docs">
<label for="q">${text('docs.search')}</label>
<input id="q" type="search" name="q" value="${shown.asked}" maxlength="200" autocomplete="off">
<button class="button">${text('search.placeholder')}</button>
</form>
<section id="found" class="docs-results" aria-labelledby="found-title"${found === null ? html` hidden` : html``}>
<h2 id="found-title" aria-live="polite">${found === null ? '' : foundTitle(shown)}</h2>
<ol class="docs-found" lang="en">
${shown.headings.map(foundItem)}</ol></section>
`
}

function contents({ headings }: Guide): Html {
  const item = ({ id, text: heading, depth }: Guide['headings'][number]): Html =>
    html`<li${depth > 2 ? html` class="docs-below"` : html``}><a href="#${id}">${heading}</a></li>
`
  return html`<ul lang="en">
${headings.filter(({ depth }) => depth <= 3).map(item)}</ul>`
}

/** What is beside a guide, and below it on a phone, where its contents are above it. */
function side(guide: Guide, guides: readonly Guide[]): Html {
  const others = guides.map(({ name, title }) =>
    name === guide.name
      ? html`<li><a href="/docs/${name}" aria-current="page">${title}</a></li>\n`
      : html`<li><a href="/docs/${name}">${title}</a></li>\n`,
  )
  const ofPage =
    guide.headings.length === 0
      ? html``
      : html`<nav class="docs-wide" aria-labelledby="contents-title"><h2 id="contents-title">${text('docs.contents')}</h2>
${contents(guide)}</nav>
`
  return html`<div class="docs-side">
${guideSearch(null)}${ofPage}<nav aria-labelledby="guides-title"><h2 id="guides-title">${text('docs.guides')}</h2>
<ul lang="en">
${others}</ul></nav>
</div>`
}

/** A guide with its contents, at `/docs/{name}`. */
export function guidePage(guide: Guide, guides: readonly Guide[], site: Site, live: LivePage): Buffer {
  const { title, summary, headings, content } = guide
  const narrow =
    headings.length === 0
      ? html``
      : html`<details class="docs-narrow"><summary lang="${speech.language}">${text('docs.contents')}</summary>
<nav aria-label="${text('docs.contents')}">${contents(guide)}</nav></details>
`
  return sitePage(site, `/docs/${guide.name}`, {
    title: text('docs.pageTitle', { title }),
    description: text('docs.description', { summary }),
    content: html`<div class="docs">
<article class="docs-guide" lang="en">
<p class="docs-path" lang="${speech.language}"><a href="/docs">${text('docs.title')}</a></p>
<h1>${title}</h1>
${narrow}${content}</article>
${side(guide, guides)}
</div>`,
    live,
  })
}
