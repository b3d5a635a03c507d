import { visibleMarks } from '#libs/core/visible-marks.js'
import { type Html, html } from '#libs/html/html.js'
import type { PageAssets } from '../assets.js'
import { readableMoment } from '../readable.js'
import { styleSheetPath } from '../style-sheet.js'

/** The script of a page, and the nonce that allows it. */
export interface LivePage {
  readonly assets: PageAssets
  readonly nonce: string
}

/** An inline icon, a sheet with two lines; without one browsers request `/favicon.ico`. */
const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="2" y="1" width="12" height="14" rx="3" fill="#0b57d0"/><path d="M5 6h6M5 10h4" stroke="#fff" stroke-width="1.5" stroke-linecap="round"/></svg>',
  )

function liveHead({ assets, nonce }: LivePage): Html {
  // Libraries that create style elements read the nonce from the meta element.
  return html`<meta property="csp-nonce" nonce="${nonce}">
${assets.styles.map((style) => html`<link rel="stylesheet" href="${style}">\n`)}<script type="module" nonce="${nonce}" src="${assets.script}"></script>
`
}

/** The URL of a share's page, and the base URL of shares. */
export interface SharedPage {
  readonly url: string
  readonly base: string
}

/** The metadata for link previews: Open Graph, X and oEmbed, without an image. */
function previewHead(title: string, { url, base }: SharedPage): Html {
  const description = `${base}/oembed?format=json&url=${encodeURIComponent(url)}`
  return html`<meta property="og:url" content="${url}">
<meta name="twitter:card" content="summary">
<link rel="alternate" type="application/json+oembed" href="${description}" title="${visibleMarks(title)}">
`
}

function documentOf(
  title: string,
  description: string,
  body: Html,
  live?: LivePage,
  share?: SharedPage,
): Buffer {
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${visibleMarks(title)}</title>
<meta property="og:type" content="website">
<meta property="og:site_name" content="Snipkeep">
<meta property="og:title" content="${visibleMarks(title)}">
<meta property="og:description" content="${visibleMarks(description)}">
${share === undefined ? html`` : previewHead(title, share)}<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${styleSheetPath}">
${live === undefined ? html`` : liveHead(live)}</head>
<body>
${body}
</body>
</html>
`
  return Buffer.from(markup)
}

export interface PageParts {
  readonly title: string
  readonly description: string
  readonly content: Html
  /** The URL of "home". */
  readonly homeUrl: string
  /** Without it no script runs in the page. */
  readonly live?: LivePage
  /** Beside the name in the header. */
  readonly links?: Html
  /** Share pages only. */
  readonly share?: SharedPage
}

/** A page with header and footer around its content. */
export function page({ title, description, content, homeUrl, live, links, share }: PageParts): Buffer {
  const body = html`<div class="page">
<header><a class="brand" href="${homeUrl}">Snipkeep</a>${links ?? html``}</header>
<main>
${content}
</main>
</div>`
  return documentOf(title, description, body, live, share)
}

/** A time for people and for programs. */
export function moment(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${readableMoment(at)}</time>`
}

/** A page that a script renders completely, header and footer included. */
export function scriptedPage(title: string, description: string, content: Html, live: LivePage): Buffer {
  return documentOf(title, description, content, live)
}
