import { text } from '../../texts/text.js'
import { showShortcuts } from '../keys/shortcuts-dialog.js'

const keys = [
  ['Ctrl+Enter', 'tool.keyRun'],
  ['Ctrl+Shift+C', 'tool.keyCopy'],
  ['Ctrl+S', 'tool.keySave'],
  ['?', 'tool.keyHelp'],
] as const

/** Lists what keys do on the page of a tool. */
export function showToolShortcuts(): void {
  showShortcuts(keys.map(([key, does]) => [key, text(does)]))
}
