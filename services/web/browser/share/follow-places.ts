import { type Place, readPlace, writePlace } from '../viewer/place.js'
import type { Viewer } from '../viewer/viewer.js'

/** Writes the place that somebody chose into the address, without a step back in the history. */
export function showPlace(place: Place | null): void {
  const fragment = place === null ? '' : `#${writePlace(place)}`
  history.replaceState(history.state, '', `${location.pathname}${location.search}${fragment}`)
}

/** Goes to the place that the address names, now and whenever it changes; the viewer says so where there is none. */
export function followPlaces(viewer: Viewer): void {
  const follow = (): void => {
    const place = readPlace(location.hash.slice(1))
    if (place !== null) viewer.goTo(place).catch(() => undefined)
  }
  addEventListener('hashchange', follow)
  follow()
}
