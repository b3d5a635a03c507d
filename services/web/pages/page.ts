import { visibleMarks } from '#libs/core/readable-text.js'
import { type Html, html } from '#libs/html/html.js'
import { acceptedCoding, encode } from '#libs/runtime/content-coding.js'
import { languageNames, pageLanguages } from '#shared/core/page-language.js'
import { type FramedSite, type FrameParts, type FrameWords, pageFrame } from '#shared/page-frame.js'
import { type IndexedPage, pageHead } from '#shared/page-head.js'
import type { PageAssets } from '../assets.js'
import { indexedPage } from '../indexable-pages.js'
import type { Site } from '../site.js'
import { styleSheetPath } from '../style-sheet.js'
import { speech } from '../texts/speech.js'
import { readableMoment, text } from '../texts/text.js'
import { manifestPath } from '../web-manifest.js'

/** The script of a page, and the nonce that allows it. */
export interface LivePage {
  readonly assets: PageAssets
  /** The same with the renderer of Markdown, for a page that most likely shows some. */
  readonly markdown?: PageAssets
  readonly nonce: string
}

function liveHead({ assets, nonce }: LivePage): Html {
  // Libraries that create style elements read the nonce from the meta element.
  return html`<meta property="csp-nonce" nonce="${nonce}">
<script type="module" nonce="${nonce}" src="${assets.script}"></script>
`
}

/** What installs the pages as an app. */
const appHead = html`<link rel="manifest" href="${manifestPath}">
<link rel="apple-touch-icon" href="/images/icon-192.png">
`

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

type HeadParts = Pick<PageParts, 'title' | 'description' | 'live' | 'share' | 'indexed' | 'isApp'>

function documentOf({ title, description, live, share, indexed, isApp }: HeadParts, body: Html): Buffer {
  const { markup } = html`<!doctype html>
<html lang="${speech.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
${pageHead(title, description, indexed ?? null)}${share === undefined ? html`` : previewHead(title, share)}${isApp === true ? appHead : html``}<link rel="stylesheet" href="${live?.assets.style ?? styleSheetPath}">
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
  readonly site: FramedSite
  /** What differs from the usual header and footer. */
  readonly frame?: FrameParts
  /** Without it no script runs in the page. */
  readonly live?: LivePage
  /** Share pages only. */
  readonly share?: SharedPage
  /** Without it, search engines are kept out. */
  readonly indexed?: IndexedPage | null
  /** Whether the page is part of what browsers can install. */
  readonly isApp?: boolean
}

function frameWords(): FrameWords {
  return {
    skip: text('site.skip'),
    menu: text('site.menu'),
    about: text('site.about'),
    tools: text('tools.title'),
    compare: text('compare.title'),
    docs: text('docs.title'),
    dashboard: text('status.dashboard'),
    signIn: text('session.signIn'),
  }
}

/** The ways to the same page in other languages. */
function languageSwitch(): Html {
  const others = pageLanguages.filter((code) => code !== speech.language)
  return html`<nav aria-label="${text('site.language')}">${others.map((code) => html`<a href="/language/${code}" lang="${code}" hreflang="${code}" rel="nofollow">${languageNames[code]}</a> `)}</nav>`
}

/** A page with header and footer around its content. */
export function page({ content, site, frame, ...head }: PageParts): Buffer {
  return documentOf(
    head,
    pageFrame(site, content, { ...frame, words: frameWords(), languages: languageSwitch() }),
  )
}

/** A public page; search engines may index it at this path, if it has one. */
export function sitePage(
  site: Site,
  path: string | null,
  parts: Pick<PageParts, 'title' | 'description' | 'content' | 'live' | 'isApp'>,
): Buffer {
  const indexed = path === null ? null : indexedPage(site, path)
  return page({ ...parts, indexed, site, frame: { section: path?.split('/')[1] ?? '' } })
}

/** A time for people and for programs. */
export function moment(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${readableMoment(at)}</time>`
}

/** A page that a script renders completely, header and footer included. */
export function scriptedPage(title: string, description: string, content: Html, live: LivePage): Buffer {
  return documentOf({ title, description, live, isApp: true }, content)
}

export interface PageResponse {
  readonly status: number
  readonly body: Buffer
  /** Override the headers of every response. */
  readonly headers: Readonly<Record<string, string>>
}

/** For responses that may change. */
export const noStore = { 'Cache-Control': 'no-store' }

/** What pages with scripts are allowed beyond those without. */
export interface ScriptAllowance {
  /** Fresh for each response. Only scripts that carry it run, and what those load. */
  readonly nonce: string
  /** Origins besides our own that scripts may connect to. */
  readonly connect: readonly string[]
  /** Whether forms may be sent to our own origin. */
  readonly forms?: boolean
}

/** Who may embed a page: no one, or any page. */
export type Framing = "'none'" | '*'

const nothing = (framing: Framing, forms = "'none'"): string =>
  `default-src 'none'; base-uri 'none'; form-action ${forms}; frame-ancestors ${framing}; object-src 'none'`
const typed = "require-trusted-types-for 'script'"

const noScripts = `style-src 'self'; img-src 'self' data:; ${typed}; trusted-types 'none'`

/** The CSP of a page with a form and without scripts; browsers also check where a response redirects to. */
export function formSecurityPolicy(targets: readonly string[]): string {
  return `${nothing("'none'", ["'self'", ...targets].join(' '))}; ${noScripts}`
}

/** The CSP of a page: our own styles and images, and no scripts except those with the nonce. */
export function contentSecurityPolicy(scripts: ScriptAllowance | null, framing: Framing = "'none'"): string {
  if (scripts === null) return `${nothing(framing)}; ${noScripts}`
  const { nonce, connect, forms = false } = scripts
  return [
    nothing(framing, forms ? "'self'" : "'none'"),
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "manifest-src 'self'",
    `connect-src ${["'self'", ...connect].join(' ')}`,
    "worker-src 'self'",
    typed,
    'trusted-types snipkeep dompurify',
  ].join('; ')
}

/**
 * The CSP of a script's response, which applies to workers made from it: they may connect to and import from
 * our own origin.
 */
export const workerSecurityPolicy = `${nothing("'none'")}; script-src 'self'; connect-src 'self'`

/** Headers of every response: no other origins, no scripts, no embedding. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': contentSecurityPolicy(null),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  // Links to other sites say nothing of ours, and forms say the origin of their page.
  'Referrer-Policy': 'same-origin',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
}

/**
 * The differences for pages made for embedding: any page may embed them, even under COEP `require-corp`.
 */
export function framedHeaders(scripts: ScriptAllowance | null): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(scripts, '*'),
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
}

/** Fewer bytes fit into one packet anyway. */
const bytesMin = 1_000

/**
 * Compresses a response that holds no secret of its reader, unless it chose its coding itself or is a picture. The size of a compressed
 * page tells about secrets in it, such as a grant or that of a form, to those who can make it show text of theirs
 * (BREACH); a nonce is new in each response.
 */
export async function compressed(
  found: PageResponse,
  acceptEncoding: string | undefined,
): Promise<PageResponse> {
  const isPicture = found.headers['Content-Type'] === 'image/png'
  if (found.headers.Vary !== undefined || found.body.length < bytesMin || isPicture) return found
  const headers = { ...found.headers, Vary: 'Accept-Encoding' }
  const coding = acceptedCoding(acceptEncoding)
  if (coding === null) return { ...found, headers }
  const body = await encode(found.body, coding, 'once')
  return { ...found, body, headers: { ...headers, 'Content-Encoding': coding } }
}
