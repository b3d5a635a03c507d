import { text } from '../../texts/text.js'
import { showShortcuts } from '../keys/shortcuts-dialog.js'

const shortcuts = [
  ['1 2 3 4', 'keys.views'],
  ['W', 'tools.wrap'],
  ['L Ctrl+G', 'tools.goToLine'],
  ['E', 'tree.expandAll'],
  ['/ Ctrl+F', 'search.label'],
  ['Enter Shift+Enter', 'keys.matches'],
  ['Y', 'share.copyPlace'],
  ['Shift+Enter', 'keys.range'],
  ['?', 'keys.title'],
] as const

/** Lists what keys do on the page of a share. */
export function showShareShortcuts(): void {
  showShortcuts(shortcuts.map(([keys, does]) => [keys, text(does)]))
}
