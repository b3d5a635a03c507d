import { type DeepLink, formatDeepLink, parseDeepLink } from '../viewer/deep-link.js'
import type { Viewer } from '../viewer/viewer.js'

/** Writes the place that someone chose into the address, without a step back in the history. */
export function writeHash(place: DeepLink | null): void {
  const fragment = place === null ? '' : `#${formatDeepLink(place)}`
  history.replaceState(history.state, '', `${location.pathname}${location.search}${fragment}`)
}

/** Goes to the place that the address names, now and whenever it changes; the viewer says so where there is none. */
export function syncHash(viewer: Viewer): void {
  const follow = (): void => {
    const place = parseDeepLink(location.hash.slice(1))
    if (place !== null) viewer.goTo(place).catch(() => undefined)
  }
  addEventListener('hashchange', follow)
  follow()
}
