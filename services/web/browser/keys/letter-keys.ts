/** Whether someone writes where a key was pressed. */
function isWriting({ target }: Event): boolean {
  const writing = 'input, textarea, select, [contenteditable], dialog'
  return target instanceof Element && target.closest(writing) !== null
}

/** The key that an event stands for; `null` for those that are none of ours. */
function keyOf(event: KeyboardEvent): string | null {
  const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event
  if (defaultPrevented || altKey || isWriting(event)) return null
  if (ctrlKey || metaKey) return key.toLowerCase() === 'g' ? 'Ctrl+G' : null
  return key.length === 1 ? key : null
}

/**
 * Calls `act` with each letter that is pressed alone, and with `Ctrl+G`, unless someone is writing; `true` means that
 * the key did something. Returns what ends that.
 */
export function listenToKeys(act: (key: string) => boolean): () => void {
  const onKey = (event: KeyboardEvent): void => {
    const key = keyOf(event)
    if (key !== null && act(key)) event.preventDefault()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}
