let hidden: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

function become(ids: ReadonlySet<string>): void {
  hidden = ids
  for (const listener of listeners) listener()
}

/** The ids of entries of this page that are shown no more, because their deletion can only be undone or follow. */
export const hiddenEntries = {
  ids: (): ReadonlySet<string> => hidden,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  hide: (id: string): void => become(new Set([...hidden, id])),
  show: (id: string): void => become(new Set([...hidden].filter((one) => one !== id))),
}
