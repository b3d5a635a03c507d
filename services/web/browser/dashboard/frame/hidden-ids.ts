/** Records of a kind that are shown no more, because their deletion can only be undone or follow. */
export interface HiddenIds {
  ids(): ReadonlySet<string>
  subscribe(listener: () => void): () => void
  hide(id: string): void
  show(id: string): void
}

/** None so far. */
export function createHiddenIds(): HiddenIds {
  const listeners = new Set<() => void>()
  let hidden: ReadonlySet<string> = new Set()
  const become = (ids: ReadonlySet<string>): void => {
    hidden = ids
    for (const listener of listeners) listener()
  }
  return {
    ids: () => hidden,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    hide: (id) => become(new Set([...hidden, id])),
    show: (id) => become(new Set([...hidden].filter((one) => one !== id))),
  }
}
