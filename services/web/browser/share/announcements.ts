import { element } from '../viewer/element.js'

const shownMs = 6_000

/** Shows a message briefly at the bottom of the page, and announces it to screen readers. */
export type Announce = (message: string) => void

/** Adds a live region at the end of the page. */
export function openAnnouncements(): Announce {
  const place = element('p', 'announcement')
  place.role = 'status'
  document.body.append(place)
  let timer: ReturnType<typeof setTimeout> | undefined
  return (message) => {
    clearTimeout(timer)
    place.textContent = message
    timer = setTimeout(() => {
      place.textContent = ''
    }, shownMs)
  }
}
