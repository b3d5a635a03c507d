import { text } from '../../texts/text.js'
import { element } from '../viewer/element.js'
import { type MenuGroups, menuOf } from '../viewer/menu.js'
import type { ShownPart, Viewer } from '../viewer/viewer.js'
import { oneTabStop } from './actions-toolbar.js'
import type { Announce } from './announcements.js'
import { copyAll } from './copy-all.js'
import { pageButton } from './page-button.js'
import type { ShareSettings } from './share-settings.js'

/** What the actions are about. */
export interface ShareActionsParts {
  readonly settings: ShareSettings
  readonly pageUrl: string
  readonly announce: Announce
  /** What the viewer shows; `null` until it shows something. */
  readonly shown: Viewer['shown']
}

/** The actions of a share. */
export interface ShareActions {
  /** Called with each part that is opened. */
  suit(part: ShownPart): void
}

async function dataOf({ raw_path, text_path }: ShareSettings): Promise<string> {
  const response = await fetch(text_path ?? raw_path)
  if (!response.ok) throw new Error(`the data request returned ${response.status}`)
  return response.text()
}

/** Copies what is shown, or another form of it. */
export function copyShown({ settings, announce, shown }: ShareActionsParts, form?: 'source' | 'shown'): void {
  const now = shown()
  const size = now?.part.sizeBytes ?? settings.size_bytes
  void copyAll(() => now?.text(form) ?? dataOf(settings), size, announce)
}

/** Shows the QR code of a URL, whose code is loaded when it is needed. */
export function openQrCode(url: string, announce: Announce): void {
  import('./qr-dialog.js').then(({ showQrCode }) => showQrCode(url)).catch(() => announce(text('share.noQr')))
}

/** A button that opens a menu, and the menu. */
function withMenu(
  look: string,
  name: string,
  shown: string,
  groups: (menus: typeof import('./action-menus.js')) => MenuGroups,
): readonly HTMLElement[] {
  const button = pageButton(`button ${look}`, shown, () => undefined)
  if (shown !== name) button.ariaLabel = name
  if (shown !== name) button.title = name
  return [button, menuOf(button, name, async () => groups(await import('./action-menus.js')))]
}

/**
 * Adds the actions that need a script to the server's link: copying, and sharing it on. Where the window is narrow they
 * all are in one menu.
 */
export function addActions(place: HTMLElement, parts: ShareActionsParts): ShareActions {
  const { raw_path } = parts.settings
  const download = place.querySelector<HTMLAnchorElement>('a[download]') ?? element('a', 'button')
  let hasSeveral = false
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
    allMenu(parts, download.href, hasSeveral),
  )
  place.replaceChildren(all, element('span', '', ...more))
  return {
    suit({ pointer, partCount }) {
      if (partCount < 2) return
      const search = new URLSearchParams({ ...(pointer !== null && { pointer }), download: 'true' })
      download.href = `${raw_path}?${search}`
      if (hasSeveral) return
      hasSeveral = true
      downloading.append(
        ...withMenu('opens-menu', text('share.moreDownloads'), '', ({ downloadMenu }) => downloadMenu(parts)),
      )
      oneTabStop(all)
    },
  }
}
