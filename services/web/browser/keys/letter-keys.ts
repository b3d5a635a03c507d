import { hasSingleKeys } from './single-keys.js'

/** Whether someone writes where a key was pressed. */
function isWriting({ target }: Event): boolean {
  const writing = 'input, textarea, select, [contenteditable], dialog'
  return target instanceof Element && target.closest(writing) !== null
}

/** The key that an event stands for; `null` for those that are none of ours. */
function keyOf(event: KeyboardEvent): string | null {
  const { key, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented } = event
  if (defaultPrevented || altKey || metaKey || isWriting(event)) return null
  // With Shift it is the browser's, which goes to its match before, as ⌘G is.
  if (ctrlKey) return key.toLowerCase() === 'g' && !shiftKey ? 'Ctrl+G' : null
  return key.length === 1 && hasSingleKeys() ? key : null
}

/**
 * Calls `act` with each letter that is pressed alone, unless that is switched off, and with `Ctrl+G`, unless someone is
 * writing; `true` means that the key did something.
 */
export function listenToKeys(act: (key: string) => boolean): void {
  document.addEventListener('keydown', (event) => {
    const key = keyOf(event)
    if (key !== null && act(key)) event.preventDefault()
  })
}
