import { readableDuration, text } from '../../texts/text.js'
import { element } from '../viewer/element.js'

const minuteMs = 60_000

/** When the displayed time left changes or the share expires; beyond an hour sometimes a little early. */
export function nextChangeMs(leftMs: number): number {
  const unit = leftMs < minuteMs ? 1_000 : minuteMs
  return Math.min(leftMs, (leftMs % unit) + 1)
}

/** Shows in `label` how long the share lives, until it expires. */
export function countDown(leftMs: number, label: HTMLElement, onExpired: () => void): void {
  const endsAt = Date.now() + leftMs
  let timer: ReturnType<typeof setTimeout> | undefined
  const tick = (): void => {
    clearTimeout(timer)
    const left = endsAt - Date.now()
    if (left <= 0) {
      document.removeEventListener('visibilitychange', tick)
      label.textContent = text('share.hasExpired')
      onExpired()
      return
    }
    label.textContent = text('share.expires', { time: readableDuration(left) })
    timer = setTimeout(tick, nextChangeMs(left))
  }
  // Timers of a background tab may have been suspended.
  document.addEventListener('visibilitychange', tick)
  tick()
}

/** Replaces the actions, which no longer work, with the reason. */
export function showExpired(actions: HTMLElement): void {
  const hadFocus = actions.contains(document.activeElement)
  const notice = element('p', 'note', text('share.expiredNow'))
  notice.role = 'alert'
  notice.tabIndex = -1
  actions.replaceWith(notice)
  if (hadFocus) notice.focus()
}
