import { element } from '../viewer/element.js'

const shownMs = 6_000

/** Says something for a moment: seen at the foot of the page, and read out. */
export type Announce = (message: string) => void

/** A place for announcements at the end of the page. */
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
