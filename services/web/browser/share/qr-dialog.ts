import { text } from '../../texts/text.js'
import { element } from '../element.js'

/** Shows the QR code of an address in a dialog; what draws it is loaded now. */
export async function showQrCode(url: string): Promise<void> {
  const { drawQrCode } = await import('./qr-code.js')
  const close = element('button', { class: 'button', type: 'button' }, text('share.close'))
  const dialog = element(
    'dialog',
    { class: 'qr-code', 'aria-labelledby': 'qr-code-title' },
    element('h2', { id: 'qr-code-title' }, text('share.qrTitle')),
    drawQrCode(url, text('share.qrName')),
    element('p', {}, url),
    close,
  )
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (event) => {
    // What lies around it belongs to the dialog as well.
    if (event.target === dialog) dialog.close()
  })
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
