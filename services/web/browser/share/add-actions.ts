import { text } from '../../texts/text.js'
import { element } from '../viewer/element.js'
import { menuOf } from '../viewer/menu.js'
import type { MenuGroups } from '../viewer/menu-item.js'
import type { ShownPart } from '../viewer/viewer.js'
import { oneTabStop } from './actions-toolbar.js'
import { copyShown, type ShareActionsParts } from './copy-shown.js'
import { pageButton } from './page-button.js'

/** The actions of a share. */
export interface ShareActions {
  /** Called with each part that is opened. */
  suit(part: ShownPart): void
}

/**
 * Adds the actions that need a script to the server's link: copying, and sharing it on. Where the window is narrow they
 * all are in one menu.
 */
export function addActions(place: HTMLElement, parts: ShareActionsParts): ShareActions {
  const { raw_path } = parts.settings
  const download = place.querySelector<HTMLAnchorElement>('a[download]') ?? element('a', 'button')
  const links = [...place.querySelectorAll('a')].map((link) => link.cloneNode(true))
  /** A button that opens a menu, and the menu. */
  const withMenu = (
    look: string,
    name: string,
    shown: string,
    groups: (menus: typeof import('./action-menus.js')) => MenuGroups,
  ): readonly HTMLElement[] => {
    const button = pageButton(`button ${look}`, shown, () => undefined)
    if (shown !== name) button.ariaLabel = name
    return [button, menuOf(button, async () => groups(await import('./action-menus.js')), links)]
  }
  /** Whether the whole document can be downloaded as well. */
  let offersWhole = false
  const copies = element(
    'span',
    'split',
    pageButton('button first', text('share.copy'), () => copyShown(parts)),
    ...withMenu('first opens-menu', text('share.moreCopies'), '', ({ copyMenu }) => copyMenu(parts)),
  )
  const downloading = element('span', 'split', download)
  const share = text('share.share')
  const sharing = element(
    'span',
    '',
    ...withMenu('opens-menu', share, share, ({ shareMenu }) => shareMenu(parts)),
  )
  const all = element('div', 'actions-all', copies, downloading, sharing)
  all.role = 'toolbar'
  all.ariaLabel = text('share.actions')
  oneTabStop(all)
  const more = withMenu('actions-more', text('share.more'), '⋯', ({ allMenu }) =>
    allMenu(parts, download.href, offersWhole),
  )
  place.replaceChildren(all, element('span', '', ...more))
  const offerWhole = (): void => {
    if (offersWhole) return
    offersWhole = true
    downloading.append(
      ...withMenu('opens-menu', text('share.moreDownloads'), '', ({ downloadMenu }) => downloadMenu(parts)),
    )
    oneTabStop(all)
  }
  if (parts.settings.text_path !== null) offerWhole()
  return {
    suit({ pointer, partCount }) {
      if (partCount < 2) return
      const search = new URLSearchParams({ ...(pointer !== null && { pointer }), download: 'true' })
      download.href = `${raw_path}?${search}`
      offerWhole()
    },
  }
}
