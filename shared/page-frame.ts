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

/** What a page may have instead of the usual frame. */
export interface FrameParts {
  /** The part of the site to which the page belongs, such as `docs`: its link in the header is marked. */
  readonly section?: string
  /** For pages on which others' content is the subject: few links above it, and this below. */
  readonly quietFooter?: Html
  /** The id of what "Skip to the content" leads to; otherwise all of the content. */
  readonly skipTo?: string
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
function headerLinks(site: FramedSite, isQuiet: boolean, section: string): Html {
  const tools = site.tools ? [{ path: 'tools', name: 'Tools' }] : []
  const others = [
    { path: 'compare', name: 'Compare' },
    { path: 'docs', name: 'Docs' },
    { path: 'dashboard', name: 'Dashboard' },
  ]
  const links = isQuiet ? [...tools, { path: 'dashboard', name: 'Sign in' }] : [...tools, ...others]
  // The name leads home, and the footer to the tools, so that on a phone few stops stand before the data.
  const look = isQuiet ? html` class="top-few"` : html``
  return html`<nav${look} aria-label="Snipkeep">${links.map((link) => linkTo(site, link, section))}</nav>`
}

function header(site: FramedSite, { section = '', quietFooter }: FrameParts): Html {
  const isQuiet = quietFooter !== undefined
  const links = headerLinks(site, isQuiet, section)
  // On a phone, four links do not fit beside the name; two do.
  const all = isQuiet
    ? links
    : html`<div class="top-links">${links}</div>
<details class="top-menu"><summary>Menu</summary>${links}</details>`
  return html`<header class="top"><a class="brand" href="${site.homeUrl}">${mark}snipkeep</a>
${all}</header>`
}

function footer({ homeUrl, version }: FramedSite): Html {
  return html`<nav aria-label="More about Snipkeep"><a href="${homeUrl}docs">Docs</a> <a href="${homeUrl}api/docs">API</a></nav><p>Snipkeep ${version}</p>`
}

/** The body of a page: the header with the way home, the content, and the footer. */
export function pageFrame(site: FramedSite, content: Html, parts: FrameParts = {}): Html {
  return html`<a class="skip" href="#${parts.skipTo ?? 'content'}">Skip to the content</a>
${header(site, parts)}
<main class="page" id="content" tabindex="-1">
${content}
</main>
<footer class="foot">${parts.quietFooter ?? footer(site)}</footer>`
}
