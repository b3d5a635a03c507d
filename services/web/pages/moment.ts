import { type Html, html } from '#libs/html/html.js'
import { readableDuration, readableMoment } from '../readable.js'
import { text } from '../texts/text.js'

/** A moment for people and for programs. */
export function moment(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${readableMoment(at)}</time>`
}

/** How long ago a moment was, as of `now`. */
export function ago(at: Date, now: Date): string {
  return text('time.ago', { time: readableDuration(now.getTime() - at.getTime()) })
}
