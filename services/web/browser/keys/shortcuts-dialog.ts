import './shortcuts-dialog.css'
import { text } from '../../texts/text.js'
import { element } from '../viewer/element.js'
import { hasSingleKeys, setSingleKeys } from './single-keys.js'

/** What a key does; several keys are separated by spaces. */
export type Shortcut = readonly [keys: string, does: string]

/** Switches the keys that work without Ctrl. */
function singleKeysSwitch(): HTMLElement {
  const box = element('input', { attributes: { type: 'checkbox' } })
  box.checked = hasSingleKeys()
  box.addEventListener('change', () => setSingleKeys(box.checked))
  return element('label', 'shortcuts-switch', box, ' ', text('command.single'))
}

/** Lists the shortcuts of a page in a dialog, unless it is open; there they can be switched off, too. */
export function showShortcuts(shortcuts: readonly Shortcut[]): void {
  if (document.querySelector('dialog.shortcuts') !== null) return
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
  const dialog = element('dialog', 'shortcuts', title, list, singleKeysSwitch(), close)
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
