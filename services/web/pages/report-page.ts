import { visibleMarks } from '#libs/core/readable-text.js'
import { type Html, html } from '#libs/html/html.js'
import type { Site } from '../site.js'
import { type TextName, text } from '../texts/text.js'
import { page } from './page.js'

/** In the order of the form; the values of the API. */
const reasons = ['malware', 'phishing', 'personal_data', 'secret', 'copyright', 'illegal', 'other'] as const

const problems: ReadonlyMap<string | null, TextName> = new Map<string | null, TextName>([
  ['invalid', 'report.invalid'],
  ['limited', 'report.limited'],
  ['failed', 'report.failed'],
])

function back(id: string): Html {
  return html`<nav class="actions" aria-label="${text('share.actions')}"><a class="button" href="/s/${id}">${text('report.back')}</a></nav>`
}

function form(id: string, action: string, isGated: boolean, problem: TextName | undefined): Html {
  const alert = problem === undefined ? html`` : html`<p class="note" role="alert">${text(problem)}</p>\n`
  const choices = reasons.map(
    (reason) =>
      html`<label class="choice"><input type="radio" name="reason" value="${reason}" required> ${text(`reason.${reason}`)}</label>\n`,
  )
  return html`${alert}<form class="form" method="post" action="${action}">
<input type="hidden" name="share" value="${id}">
<fieldset><legend>${text('report.reason')}</legend>
${choices}</fieldset>
<label for="message">${text('report.message')}</label>
<textarea id="message" name="message" rows="5" maxlength="1000" aria-describedby="message-hint"></textarea>
<p id="message-hint" class="hint">${text(isGated ? 'report.messageGated' : 'report.messageHint')}</p>
<label for="email">${text('report.email')}</label>
<input id="email" name="email" type="email" maxlength="320" autocomplete="email" aria-describedby="email-hint">
<p id="email-hint" class="hint">${text('report.emailHint')}</p>
<button class="button first" type="submit">${text('report.send')}</button>
</form>
<p class="hint">${text('report.privacy')}</p>`
}

/** What the query of the page says about an earlier form. */
export interface ReportOutcome {
  readonly sent: boolean
  readonly problem: string | null
}

/** What is reported; without a title if the share has a gate. */
export interface ReportedShare {
  readonly id: string
  readonly title: string | null
}

/** The page where anyone can report a share, without scripts; after the form was sent, it says so. */
export function reportPage(
  { id, title }: ReportedShare,
  site: Site,
  { sent, problem }: ReportOutcome,
): Buffer {
  const isGated = title === null
  const named = (plain: TextName, gated: TextName): string =>
    title === null ? text(gated) : text(plain, { title: visibleMarks(title) })
  const content = sent
    ? html`<h1>${text('report.sent')}</h1>
<p role="status">${named('report.sentAbout', 'report.sentGated')}</p>
${back(id)}`
    : html`<h1>${text('report.title')}</h1>
<p>${named('report.about', 'report.aboutGated')}</p>
${form(id, `${site.publicBaseUrl}/api/reports`, isGated, problems.get(problem))}
${back(id)}`
  const heading = text(sent ? 'report.sent' : 'report.title')
  return page({ title: heading, description: text('page.tagline'), content, site })
}
