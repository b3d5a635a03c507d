import { type DeepLink, formatDeepLink, parseDeepLink } from '../viewer/deep-link.js'
import type { Viewer } from '../viewer/viewer.js'

/** Of the link that skips what comes before the data. */
const dataHash = '#data'

/** Writes the chosen place into the URL without a history entry. */
export function writeHash(place: DeepLink | null): void {
  const fragment = place === null ? '' : `#${formatDeepLink(place)}`
  history.replaceState(history.state, '', `${location.pathname}${location.search}${fragment}`)
}

/**
 * Goes to the place in the URL, now and whenever it changes; the viewer reports a place that does not exist.
 */
export function syncHash(viewer: Viewer): void {
  const follow = (): void => {
    if (location.hash === dataHash) viewer.focus()
    const place = parseDeepLink(location.hash.slice(1))
    if (place !== null) viewer.goTo(place).catch(() => undefined)
  }
  addEventListener('hashchange', follow)
  follow()
}
