import { text } from '../../texts/text.js'
import { type Place, readPlace, writePlace } from '../viewer/place.js'
import type { Viewer } from '../viewer/viewer.js'
import type { Announce } from './announcements.js'

/** Writes the place that somebody chose into the address, without a step back in the history. */
export function showPlace(place: Place | null): void {
  const fragment = place === null ? '' : `#${writePlace(place)}`
  history.replaceState(history.state, '', `${location.pathname}${location.search}${fragment}`)
}

/** Goes to the place that the address names, now and whenever it changes, and says so where there is none. */
export function followPlaces(viewer: Viewer, announce: Announce): void {
  const follow = async (): Promise<void> => {
    const fragment = location.hash.slice(1)
    const place = readPlace(fragment)
    if (place !== null && !(await viewer.goTo(place).catch(() => false)))
      announce(text('share.noPlace', { place: place.kind === 'pointer' ? place.pointer : fragment }))
  }
  addEventListener('hashchange', () => void follow())
  void follow()
}
