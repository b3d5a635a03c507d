import { visibleMarks } from '#libs/core/readable-text.js'
import { type Html, html } from '#libs/html/html.js'
import { markPaths } from './core/mark.js'

const sheets = html`<path d="${markPaths.behind}" stroke="none" opacity=".45"></path><path d="${markPaths.sheet}" stroke="none"></path><path d="${markPaths.bracket}" fill="none" stroke-width="1.4" stroke-linecap="round"></path>`

/** The mark as a picture of its own. Browsers request `/favicon.ico` for what is no page of ours, such as raw reads. */
export const icon =
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#0f766e" stroke="#fff">${sheets}</svg>`
    .markup

/** The mark inside a page, in the colours of its style. */
export const mark = html`<svg class="mark" viewBox="0 0 16 16" aria-hidden="true">${sheets}</svg>`
/** The mark as the URL of an icon. */
export const inlineIcon = `data:image/svg+xml,${encodeURIComponent(icon)}`

/** The pictures of link previews, which the web application serves: 1200 × 630 pixels. */
export const previewPictures = {
  site: '/images/preview-site.png',
  tools: '/images/preview-tools.png',
  compare: '/images/preview-compare.png',
} as const

/** A page that search engines may index. */
export interface IndexedPage {
  /** The one URL by which it is known. */
  readonly url: string
  /** The URL of the picture of its link preview. */
  readonly picture: string
}

function indexedHead(description: string, { url, picture }: IndexedPage): Html {
  return html`<meta name="description" content="${visibleMarks(description)}">
<link rel="canonical" href="${url}">
<meta property="og:url" content="${url}">
<meta property="og:image" content="${picture}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="Snipkeep">
<meta name="twitter:card" content="summary_large_image">
`
}

/** What stands in the tab. */
export function tabTitle(title: string): string {
  return `${visibleMarks(title)} · Snipkeep`
}

/**
 * The title and icon of a page, and what search engines and link previews are told about it.
 * @param indexed `null` keeps it out of indexes.
 */
export function pageHead(title: string, description: string, indexed: IndexedPage | null): Html {
  const name = visibleMarks(title)
  return html`<title>${tabTitle(title)}</title>
<link rel="icon" href="${inlineIcon}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Snipkeep">
<meta property="og:title" content="${name}">
<meta property="og:description" content="${visibleMarks(description)}">
${indexed === null ? html`<meta name="robots" content="noindex">\n` : indexedHead(description, indexed)}`
}
