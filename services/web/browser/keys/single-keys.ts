const storageName = 'single-keys'

/** Whether single keys without Ctrl run commands. Speech input and tremors press keys that nobody meant (WCAG 2.1.4). */
export function hasSingleKeys(): boolean {
  try {
    return localStorage.getItem(storageName) !== 'off'
  } catch {
    return true
  }
}

/** Remembers in this browser, if it lets us, whether they do. */
export function setSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(storageName)
    else localStorage.setItem(storageName, 'off')
  } catch {
    // Then they stay as they are.
  }
}
