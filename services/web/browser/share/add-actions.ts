import { readableSize } from '#libs/core/readable-text.js'
import { type TextName, text } from '../../texts/text.js'
import { copyToClipboard } from '../viewer/clipboard.js'
import { element } from '../viewer/element.js'
import type { Announce } from './announcements.js'
import { copyAs, copyForms } from './copy-as.js'
import { copyDeferred } from './copy-deferred.js'
import { menuButton } from './menu.js'
import { showQrCode } from './qr-dialog.js'
import type { ShareSettings } from './share-settings.js'

/** Larger copies would freeze the clipboard and the program that receives them. */
const copiedBytesMax = 10 * 1_048_576

async function dataOf({ raw_path, text_path }: ShareSettings): Promise<string> {
  const response = await fetch(text_path ?? raw_path)
  if (!response.ok) throw new Error(`the data request returned ${response.status}`)
  return response.text()
}

function button(name: TextName, act: () => void): HTMLButtonElement {
  const made = element('button', 'button', text(name))
  made.type = 'button'
  made.addEventListener('click', act)
  return made
}

/** Adds the actions that need a script, copying and the QR code, to the server's links. */
export function addActions(
  place: HTMLElement,
  settings: ShareSettings,
  pageUrl: string,
  announce: Announce,
): void {
  const announceCopy = async (copying: Promise<boolean>, name: string): Promise<void> => {
    const copied = await copying.catch(() => false)
    announce(text(copied ? 'share.copied' : 'share.notCopied', { name }))
  }
  const copyAll = (): void => {
    const { size_bytes: size } = settings
    if (size > copiedBytesMax) announce(text('share.tooLarge', { size: readableSize(size) }))
    else void announceCopy(copyDeferred(dataOf(settings)), text('share.all'))
  }
  const { title, text_path, raw_path, extension } = settings
  const fetched = {
    url: new URL(text_path ?? raw_path, pageUrl).href,
    title,
    extension,
    form: text_path === null ? 'json' : 'text',
  } as const
  const items = copyForms.map((form) => ({
    label: text(`copyAs.${form}`),
    choose: () => void announceCopy(copyToClipboard(copyAs(form, fetched)), text(`copyAs.${form}`)),
  }))
  place.querySelector('.coming')?.remove()
  place.append(
    button('share.copyLink', () => void announceCopy(copyToClipboard(pageUrl), text('share.theLink'))),
    button('share.copyAll', copyAll),
    ...(settings.gated === true ? [] : [menuButton('copy-as', text('share.copyAs'), items)]),
    button('share.qr', () => void showQrCode(pageUrl).catch(() => announce(text('share.noQr')))),
  )
}
