import { visibleMarks } from '#libs/core/visible-marks.js'
import { type Html, html } from '#libs/html/html.js'
import { type TextName, text } from '../texts/text.js'
import { ago, moment } from './moment.js'
import { page } from './page.js'

const retry = html`<a class="button first" href="">${text('status.retry')}</a>`
const home = html`<a class="button" href="/">${text('status.home')}</a>`

function statusPage(title: TextName, content: Html, ways: readonly Html[] = [home]): Buffer {
  return page(
    text(title),
    text('page.tagline'),
    html`<h1>${text(title)}</h1>
${content}
<nav class="actions" aria-label="${text('share.actions')}">
${ways.map((way) => html`${way}\n`)}</nav>`,
  )
}

/** 404: there is no such page or share. */
export function notFoundPage(): Buffer {
  return statusPage('status.missing', html`<p>${text('status.missingText')}</p>`)
}

/** 410: the share was here until a moment ago or longer. */
export function expiredPage(title: string, expiredAt: Date, now: Date): Buffer {
  return statusPage(
    'status.expired',
    html`<dl class="facts">
<div><dt>${text('status.expiredName')}</dt><dd>${visibleMarks(title)}</dd></div>
<div><dt>${text('status.expiredTime')}</dt><dd>${ago(expiredAt, now)} (${moment(expiredAt)})</dd></div>
</dl>
<p>${text('status.expiredText')}</p>`,
  )
}

/** 405: pages can only be read. */
export function readOnlyPage(): Buffer {
  return statusPage('status.readOnly', html`<p>${text('status.readOnlyText')}</p>`)
}

/** 503: the share is there, but cannot be had at this moment. */
export function unavailablePage(): Buffer {
  return statusPage('status.unavailable', html`<p>${text('status.unavailableText')}</p>`, [retry, home])
}

/** 500: something failed that nobody foresaw. */
export function failurePage(): Buffer {
  return statusPage('status.failure', html`<p>${text('status.failureText')}</p>`, [retry, home])
}
