import { text } from '../../texts/text.js'
import { pageButton } from '../share/page-button.js'
import { element } from '../viewer/element.js'
import { openDialog } from './keep-dialog.js'

const keys = [
  ['Ctrl+Enter', 'tool.keyRun'],
  ['Ctrl+Shift+C', 'tool.keyCopy'],
  ['Ctrl+S', 'tool.keySave'],
  ['?', 'tool.keyHelp'],
] as const

/** Lists the keys of the page in a dialog. */
export function showShortcuts(): void {
  const rows = keys.map(([key, name]) =>
    element('div', '', element('dt', '', element('kbd', '', key)), element('dd', '', text(name))),
  )
  const close = pageButton('button', text('kit.close'), () => dialog.close())
  const dialog = openDialog(
    text('tool.shortcuts'),
    element('dl', 'tool-keys', ...rows),
    element('div', 'tool-dialog-actions', close),
  )
}
