import { type TextName, text } from '../../texts/text.js'
import type { Announce } from './announcements.js'
import { type CopyForm, copyAsMenu, copyData, copyForms, copyText } from './copying.js'
import { pageButton } from './page-button.js'
import type { ShareSettings } from './share-settings.js'

async function dataOf({ raw_path, text_path }: ShareSettings): Promise<string> {
  const response = await fetch(text_path ?? raw_path)
  if (!response.ok) throw new Error(`the data request returned ${response.status}`)
  return response.text()
}

/** Adds the actions that need a script, copying and the QR code, to the server's links. */
export function addActions(
  place: HTMLElement,
  settings: ShareSettings,
  pageUrl: string,
  announce: Announce,
): void {
  const { title, text_path, raw_path, extension, size_bytes: size } = settings
  const fetched = {
    url: new URL(text_path ?? raw_path, pageUrl).href,
    title,
    extension,
    form: text_path === null ? 'json' : 'text',
  } as const
  const codeIn = async (form: CopyForm): Promise<string> =>
    (await import('./copy-as.js')).copyAs(form, fetched)
  const press = (name: TextName, act: () => void): HTMLElement => pageButton('button', text(name), act)
  place.querySelector('.coming')?.remove()
  place.append(
    press('share.copyLink', () => copyText(pageUrl, text('share.link'), announce)),
    press('share.copyAll', () => copyData(() => dataOf(settings), size, text('share.all'), announce)),
    ...(settings.gated === true ? [] : [copyAsMenu(copyForms, codeIn, announce)]),
    press(
      'share.qr',
      () =>
        void import('./qr-dialog.js')
          .then(({ showQrCode }) => showQrCode(pageUrl))
          .catch(() => announce(text('share.noQr'))),
    ),
  )
}
