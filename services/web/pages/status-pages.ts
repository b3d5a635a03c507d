import { tools } from '#engine/tools/registry.js'
import type { ToolDescription } from '#engine/tools/tool.js'
import { visibleMarks } from '#libs/core/readable-text.js'
import { type Html, html } from '#libs/html/html.js'
import type { FramedSite } from '#shared/page-frame.js'
import type { Site } from '../site.js'
import { ago, type TextName, text } from '../texts/text.js'
import { toolText } from '../texts/tool-pages.js'
import { moment, page } from './page.js'

/** The pairs of neighbouring letters of a name. */
function pairsOf(name: string): ReadonlySet<string> {
  const words = name.toLowerCase().replaceAll(/(?<=[a-z])2(?=[a-z])/g, 'to')
  const letters = words.replaceAll(/[^a-z0-9]/g, '')
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)),
  )
}

/** How alike two names are, from 0 to 1, also when their words are in another order (Dice's coefficient). */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((pair) => other.has(pair)).length
  return (2 * common) / Math.max(1, one.size + other.size)
}

/** The tool that was most likely meant by a name that none has; `null` if none is like it. */
export function nearestTool(name: string): ToolDescription | null {
  const meant = pairsOf(name.slice(0, 60))
  const ranked = tools
    .map((tool) => ({ tool, like: likeness(meant, pairsOf(tool.name)) }))
    .sort((one, other) => other.like - one.like)
  const [best] = ranked
  return best !== undefined && best.like >= 0.5 ? best.tool : null
}

const retry = (): Html => html`<a class="button first" href="">${text('kit.retry')}</a>\n`

/** A page that says what has happened, and the way on. */
export function statusPage(site: FramedSite, title: TextName, explanation: Html, way: Html = html``): Buffer {
  const content = html`<h1>${text(title)}</h1>
${explanation}
<nav class="actions" aria-label="${text('share.actions')}">
${way}<a class="button" href="${site.homeUrl}">${text('status.home')}</a>
</nav>`
  return page({ title: text(title), description: text('page.tagline'), content, site })
}

/** 404: no such share. */
export function noSharePage(site: FramedSite): Buffer {
  return statusPage(site, 'status.missing', html`<p>${text('status.missingText')}</p>`)
}

function link(href: string, name: TextName): Html {
  return html`<a class="button" href="${href}">${text(name)}</a>\n`
}

/** What is said about the name of a tool that there is not, with a link to the one most likely meant. */
function missingTool({ homeUrl }: FramedSite, path: string): Html | null {
  const [, name] = /^\/tools\/([^/]+)$/.exec(path) ?? []
  const nearest = name === undefined ? null : nearestTool(name)
  if (nearest === null) return null
  const meant = html`<a href="${homeUrl}tools/${nearest.name}">${toolText(nearest).name}</a>`
  return html`<p>${text('status.missingTool')} ${text('status.meant')} ${meant}?</p>`
}

/** 404: no such page. */
export function notFoundPage(site: FramedSite, path: string): Buffer {
  const { homeUrl, tools } = site
  const explanation = (tools ? missingTool(site, path) : null) ?? html`<p>${text('status.missingPage')}</p>`
  const ways = html`${tools ? link(`${homeUrl}tools`, 'tools.title') : html``}${link(`${homeUrl}docs`, 'docs.title')}${link(`${homeUrl}api/docs`, 'docs.api')}${link(`${homeUrl}dashboard`, 'status.dashboard')}`
  return statusPage(site, 'status.missing', explanation, ways)
}

/** 410: the share has expired. Its title is deleted a year later. */
export function expiredPage(site: FramedSite, title: string | null, expiredAt: Date, now: Date): Buffer {
  const name =
    title === null
      ? html``
      : html`<div><dt>${text('snippets.title')}</dt><dd>${visibleMarks(title)}</dd></div>\n`
  return statusPage(
    site,
    'status.expired',
    html`<dl class="facts">
${name}<div><dt>${text('status.expiredTime')}</dt><dd>${ago(expiredAt, now)} (${moment(expiredAt)})</dd></div>
</dl>
<p>${text('status.expiredText')}</p>`,
  )
}

/** 410: an operator has disabled the share. */
export function disabledPage(site: FramedSite): Buffer {
  return statusPage(site, 'status.disabled', html`<p>${text('status.disabledText')}</p>`)
}

/** 410: all views of a gated share have been given away. */
export function usedUpPage(site: FramedSite): Buffer {
  return statusPage(site, 'status.usedUp', html`<p>${text('status.expiredText')}</p>`)
}

/** 403: a gated share is shown only on its own page. */
export function notAlonePage(site: Site, id: string): Buffer {
  const way = html`<a class="button first" href="${site.shareBaseUrl}/s/${id}" target="_blank" rel="noopener noreferrer">${text('status.notAloneOpen')}</a>\n`
  return statusPage(site, 'status.notAlone', html`<p>${text('status.notAloneText')}</p>`, way)
}

/** 405: pages are read-only. */
export function readOnlyPage(site: FramedSite): Buffer {
  return statusPage(site, 'status.readOnly', html`<p>${text('status.readOnlyText')}</p>`)
}

/** 503: the share exists but cannot be loaded right now. */
export function unavailablePage(site: FramedSite): Buffer {
  return statusPage(site, 'status.unavailable', html`<p>${text('status.unavailableText')}</p>`, retry())
}

/** 500: an unexpected failure. */
export function failurePage(site: FramedSite): Buffer {
  return statusPage(site, 'problem.title', html`<p>${text('status.failureText')}</p>`, retry())
}
