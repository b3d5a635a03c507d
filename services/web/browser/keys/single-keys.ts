const storageName = 'single-keys'

/** Whether single keys without Ctrl run commands. Speech input and tremors press keys that nobody meant (WCAG 2.1.4). */
export function hasSingleKeys(storage: Pick<Storage, 'getItem'>): boolean {
  return storage.getItem(storageName) !== 'off'
}

/** Remembers in this browser whether they do. */
export function setSingleKeys(storage: Pick<Storage, 'setItem' | 'removeItem'>, isOn: boolean): void {
  if (isOn) storage.removeItem(storageName)
  else storage.setItem(storageName, 'off')
}
