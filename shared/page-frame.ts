import { type Html, html } from '#libs/html/html.js'
import { mark } from './page-head.js'

/** What the frame of a page says of the site. */
export interface FramedSite {
  /** The URL of "home", which ends with a slash: the landing page, even from pages on another origin. */
  readonly homeUrl: string
  /** Whether tools have pages. */
  readonly tools: boolean
  /** The release that runs. */
  readonly version: string
}

/** What the frame says. */
export interface FrameWords {
  readonly skip: string
  readonly menu: string
  readonly about: string
  readonly tools: string
  readonly compare: string
  readonly docs: string
  readonly dashboard: string
  readonly signIn: string
}

const english: FrameWords = {
  skip: 'Skip to the content',
  menu: 'Menu',
  about: 'More about Snipkeep',
  tools: 'Tools',
  compare: 'Compare',
  docs: 'Docs',
  dashboard: 'Dashboard',
  signIn: 'Sign in',
}

/** What a page may have instead of the usual frame. */
export interface FrameParts {
  /** The part of the site to which the page belongs, such as `docs`: its link in the header is marked. */
  readonly section?: string
  /** For pages on which others' content is the subject: few links above it, and this below. */
  readonly quietFooter?: Html
  /** The id of what "Skip to the content" leads to; otherwise all of the content. */
  readonly skipTo?: string
  /** In the language of the page; otherwise English. */
  readonly words?: FrameWords
  /** The ways to the same page in other languages. */
  readonly languages?: Html
}

interface SiteLink {
  readonly path: string
  readonly name: string
}

function linkTo({ homeUrl }: FramedSite, { path, name }: SiteLink, section: string): Html {
  const current = path === section ? html` aria-current="true"` : html``
  return html`<a href="${homeUrl}${path}"${current}>${name}</a>\n`
}

/** The links of the header: to the parts of the site, and, at its end, to what one has there. */
function headerLinks(site: FramedSite, words: FrameWords, isQuiet: boolean, section: string): Html {
  const tools = site.tools ? [{ path: 'tools', name: words.tools }] : []
  const others = [
    { path: 'compare', name: words.compare },
    { path: 'docs', name: words.docs },
    { path: 'dashboard', name: words.dashboard },
  ]
  const links = isQuiet ? [...tools, { path: 'dashboard', name: words.signIn }] : [...tools, ...others]
  // The name leads home, and the footer to the tools, so that on a phone few stops stand before the data.
  const look = isQuiet ? html` class="top-few"` : html``
  return html`<nav${look} aria-label="Snipkeep">${links.map((link) => linkTo(site, link, section))}</nav>`
}

function header(site: FramedSite, { section = '', quietFooter, words = english }: FrameParts): Html {
  const isQuiet = quietFooter !== undefined
  const links = headerLinks(site, words, isQuiet, section)
  // On a phone, four links do not fit beside the name; two do.
  const all = isQuiet
    ? links
    : html`<div class="top-links">${links}</div>
<details class="top-menu"><summary>${words.menu}</summary>${links}</details>`
  return html`<header class="top"><a class="brand" href="${site.homeUrl}">${mark}snipkeep</a>
${all}</header>`
}

function footer({ homeUrl, version }: FramedSite, words: FrameWords): Html {
  return html`<nav aria-label="${words.about}"><a href="${homeUrl}docs">${words.docs}</a> <a href="${homeUrl}api/docs">API</a></nav><p>Snipkeep ${version}</p>`
}

/** The body of a page: the header with the way home, the content, and the footer. */
export function pageFrame(site: FramedSite, content: Html, parts: FrameParts = {}): Html {
  const { skipTo = 'content', quietFooter, words = english, languages = html`` } = parts
  return html`<a class="skip" href="#${skipTo}">${words.skip}</a>
${header(site, parts)}
<main class="page" id="content" tabindex="-1">
${content}
</main>
<footer class="foot">${quietFooter ?? footer(site, words)}${languages}</footer>`
}
