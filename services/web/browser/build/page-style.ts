import { join } from 'node:path'
import type { Plugin } from 'vite'
import { styleSheet } from '../../style-sheet.js'

/** Puts the style of every page into that of each page, so that a page with a script loads one style sheet and not two. */
export function pageStyle(): Plugin {
  const file = join(import.meta.dirname, '../page-style.css')
  return { name: 'page-style', load: (id) => (id === file ? styleSheet : undefined) }
}
