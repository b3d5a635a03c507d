import { type Html, html, inlineText } from '#libs/html/html.js'
import { page } from './page.js'
import { readableMoment } from './readable.js'

function statusPage(title: string, content: Html): Buffer {
  return page(
    title,
    'Snipkeep',
    html`<h1>${inlineText(title)}</h1>
${content}`,
  )
}

/** 404: there is no such page or share. */
export function notFoundPage(): Buffer {
  return statusPage(
    'There is nothing here',
    html`<p>The link is mistyped, or whoever shared this has withdrawn it. Ask them for a new one.</p>`,
  )
}

/** 410: the share was here until a moment ago or longer. */
export function expiredPage(title: string, expiredAt: Date): Buffer {
  return statusPage(
    'This share has expired',
    html`<p>It was called “${inlineText(title)}” and could be opened until
<time datetime="${expiredAt.toISOString()}">${readableMoment(expiredAt)}</time>. Ask whoever shared it for a new link.</p>`,
  )
}

/** 405: pages can only be read. */
export function readOnlyPage(): Buffer {
  return statusPage('This page can only be read', html`<p>Open it in a browser, or fetch it with GET.</p>`)
}

/** 503: the share is there, but cannot be had at this moment. */
export function unavailablePage(): Buffer {
  return statusPage(
    'This page cannot be shown right now',
    html`<p>Something behind it does not answer. Nothing is lost: <a href="">try again</a> in a moment.</p>`,
  )
}

/** 500: something failed that nobody foresaw. */
export function failurePage(): Buffer {
  return statusPage(
    'This page could not be made',
    html`<p>That is our fault, and it has been recorded. <a href="">Try again</a> in a moment.</p>`,
  )
}

/** The page at `/`. */
export function landingPage(): Buffer {
  return page(
    'Snipkeep',
    'Save what formatting tools produce, fetch it from anywhere, share it by a link.',
    html`<h1>Keep what your tools produce</h1>
<p>Snipkeep saves the output of formatting tools as named snippets, hands it back byte for byte wherever you need it, and shares it by a link that anyone can open.</p>
<nav class="actions" aria-label="Start">
<a class="button first" href="/api/docs">Read the API documentation</a>
<a class="button" href="/api/plans">Plans and limits</a>
<a class="button" href="/api/openapi.json">OpenAPI</a>
</nav>`,
  )
}
