import { text } from '../../texts/text.js'
import type { Viewer } from '../viewer/viewer.js'
import type { Announce } from './announcements.js'
import { copyAll } from './copy-all.js'
import type { ShareSettings } from './share-settings.js'

/** What the actions are about. */
export interface ShareActionsParts {
  readonly settings: ShareSettings
  readonly pageUrl: string
  readonly announce: Announce
  /** What the viewer shows; `null` until it shows something. */
  readonly shown: Viewer['shown']
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
