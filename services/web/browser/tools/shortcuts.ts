import { hasSingleKeys } from '../keys/single-keys.js'

/** What the keys of the page do. */
export interface ShortcutActions {
  run(): void
  copy(): void
  save(): void
}

function isTyped({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}

/** Listens to the keys of the page. */
export function openShortcuts({ run, copy, save }: ShortcutActions, onFailure: () => void): void {
  document.addEventListener('keydown', (event) => {
    const { key, shiftKey } = event
    const isCommand = event.ctrlKey || event.metaKey
    if (isCommand && key === 'Enter') run()
    else if (isCommand && !shiftKey && key === 's') save()
    else if (isCommand && shiftKey && key.toLowerCase() === 'c') copy()
    else if (key === '?' && !isTyped(event) && hasSingleKeys())
      import('./shortcut-list.js').then(({ showToolShortcuts }) => showToolShortcuts()).catch(onFailure)
    else return
    // Otherwise the browser saves the page, or inspects it.
    event.preventDefault()
  })
}
