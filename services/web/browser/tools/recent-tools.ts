const key = 'snipkeep.recent-tools'
const countMax = 6

/** The names of the tools used last in this browser, the latest first. */
export function recentTools(storage: Pick<Storage, 'getItem'>): readonly string[] {
  try {
    const names: unknown = JSON.parse(storage.getItem(key) ?? '[]')
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string').slice(0, countMax) : []
  } catch {
    return []
  }
}

/** Puts a tool first. Where the browser keeps nothing, nothing happens. */
export function rememberTool(storage: Pick<Storage, 'getItem' | 'setItem'>, name: string): void {
  const names = [name, ...recentTools(storage).filter((other) => other !== name)].slice(0, countMax)
  try {
    storage.setItem(key, JSON.stringify(names))
  } catch {
    // Storage may be full or forbidden, and the list is no more than a convenience.
  }
}
