import { type Html, html } from '#libs/html/html.js'
import type { GatePreview } from '../share-reader.js'
import type { Site } from '../site.js'
import { readableDuration, readableSize, type TextName, text } from '../texts/text.js'
import { page } from './page.js'
import { shareFooter } from './share-footer.js'

const messageOf: Readonly<Record<string, TextName>> = {
  share_password_invalid: 'gate.wrongPassword',
  rate_limited: 'gate.tooMany',
}

/** What went wrong with the form; nothing without an error. */
function failure(error: string): Html {
  if (error === '') return html``
  return html`<p id="gate-error" class="note failed" role="alert">${text(messageOf[error] ?? 'gate.busy')}</p>\n`
}

function passwordField(error: string): Html {
  const invalid =
    error === 'share_password_invalid' ? html` aria-invalid="true" aria-describedby="gate-error"` : html``
  return html`<p><label for="password">${text('gate.password')}</label>
<input id="password" name="password" type="password" required maxlength="256" autocomplete="off" autofocus${invalid}></p>
`
}

/** What its form says and sends. */
export interface GateForm {
  /** The code of the error with which it was refused; empty for none. */
  readonly error: string
  /** Of the format of a grant, and new for each rendering: the form counts one view, however often it is sent. */
  readonly attempt: string
}

/**
 * What stands before a gated share: a form with one button, for people alone. Link previews and scanners, even those
 * that run scripts, send no form. Says nothing of what is behind it but its size and its end.
 */
export function gatePage(id: string, gate: GatePreview, { error, attempt }: GateForm, site: Site): Buffer {
  const { hasPassword, viewsLeft, sizeBytes, timeLeftMs } = gate
  const end =
    timeLeftMs === null ? text('share.never') : text('share.expires', { time: readableDuration(timeLeftMs) })
  const show = viewsLeft === null ? text('gate.show') : text('gate.showViews', { count: viewsLeft })
  const title = text(hasPassword ? 'gate.titlePassword' : 'gate.title')
  const content = html`<h1>${title}</h1>
<dl class="facts">
<div><dt>${text('share.size')}</dt><dd>${readableSize(sizeBytes)}</dd></div>
<div><dt>${text('share.link')}</dt><dd>${end}</dd></div>
</dl>
${failure(error)}<p>${text('gate.explain')}</p>
<form class="gate" method="post" action="/s/${id}">
<input type="hidden" name="attempt" value="${attempt}">
${hasPassword ? passwordField(error) : html``}<p class="actions"><button class="button first" type="submit">${show}</button></p>
</form>`
  const frame = { quietFooter: shareFooter(site, id, true) }
  return page({ title, description: text('gate.about'), content, site, frame })
}
