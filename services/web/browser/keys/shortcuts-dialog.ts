import './shortcuts-dialog.css'
import { text } from '../../texts/text.js'
import { element } from '../viewer/element.js'

/** What a key does; several keys are separated by spaces. */
export type Shortcut = readonly [keys: string, does: string]

/** Lists the shortcuts of a page in a dialog. */
export function showShortcuts(shortcuts: readonly Shortcut[]): void {
  const title = element('h2', 'shortcuts-title', text('keys.title'))
  const list = element(
    'dl',
    'shortcuts-list',
    ...shortcuts.map(([keys, does]) =>
      element(
        'div',
        '',
        element('dt', '', does),
        element('dd', '', ...keys.split(' ').flatMap((key) => [element('kbd', '', key), ' '])),
      ),
    ),
  )
  const close = element(
    'button',
    { class: 'button', attributes: { type: 'button', autofocus: '' } },
    text('kit.close'),
  )
  const dialog = element('dialog', 'shortcuts', title, list, close)
  dialog.ariaLabel = title.textContent
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (event) => {
    // The backdrop belongs to the dialog element as well.
    if (event.target === dialog) dialog.close()
  })
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
