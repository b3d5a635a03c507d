import { visibleMarks } from '#libs/core/visible-marks.js'
import { type Html, html } from '#libs/html/html.js'
import type { PageAssets } from '../assets.js'
import { readableMoment } from '../readable.js'
import { styleSheetPath } from '../style-sheet.js'

/** What brings a page to life, and the nonce by which its policy knows it. */
export interface LivePage {
  readonly assets: PageAssets
  readonly nonce: string
}

/** A sheet with two lines on it, inside the page: browsers would ask for `/favicon.ico` otherwise. */
const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="2" y="1" width="12" height="14" rx="3" fill="#0b57d0"/><path d="M5 6h6M5 10h4" stroke="#fff" stroke-width="1.5" stroke-linecap="round"/></svg>',
  )

function liveHead({ assets, nonce }: LivePage): Html {
  // Libraries that make style elements read the nonce from the meta element.
  return html`<meta property="csp-nonce" nonce="${nonce}">
${assets.styles.map((style) => html`<link rel="stylesheet" href="${style}">\n`)}<script type="module" nonce="${nonce}" src="${assets.script}"></script>
`
}

/** The page of a share, and where everything about shares is. */
export interface SharedPage {
  readonly url: string
  readonly base: string
}

/** What sites look for that turn a link into a preview: Open Graph, X and oEmbed, all without a picture. */
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

/** What a page is, and what stands in it. */
export interface PageParts {
  readonly title: string
  readonly description: string
  readonly content: Html
  /** Where "home" leads. */
  readonly homeUrl: string
  /** Without it no script runs in the page. */
  readonly live?: LivePage
  /** Only of the page of a share. */
  readonly share?: SharedPage
}

/** A page with what stands around its content. */
export function page({ title, description, content, homeUrl, live, share }: PageParts): Buffer {
  const body = html`<div class="page">
<header><a class="brand" href="${homeUrl}">Snipkeep</a></header>
<main>
${content}
</main>
</div>`
  return documentOf(title, description, body, live, share)
}

/** A moment for people and for programs. */
export function moment(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${readableMoment(at)}</time>`
}

/** A page that a script fills whole, what stands around its content included. */
export function scriptedPage(title: string, description: string, content: Html, live: LivePage): Buffer {
  return documentOf(title, description, content, live)
}
