import { text } from '../../texts/text.js'
import { element } from '../viewer/element.js'
import { pageButton } from './page-button.js'
import { drawQrCode } from './qr-code.js'

/** Shows the QR code of a URL in a dialog. */
export function showQrCode(url: string): void {
  const close = pageButton('button', text('kit.close'), () => dialog.close())
  const title = element('h2', 'qr-code-title', text('share.qrTitle'))
  const picture = drawQrCode(url, text('share.qrName'))
  const dialog = element('dialog', 'qr-code', title, picture, element('p', 'qr-code-url', url), close)
  dialog.ariaLabel = title.textContent
  dialog.addEventListener('click', (event) => {
    // The backdrop belongs to the dialog element as well.
    if (event.target === dialog) dialog.close()
  })
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
