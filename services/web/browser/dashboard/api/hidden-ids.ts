import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let hidden: ReadonlySet<string> = new Set()

function become(ids: ReadonlySet<string>): void {
  hidden = ids
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Hides a record from all lists while its deletion is pending. */
export function hideRecord(id: string): void {
  become(new Set([...hidden, id]))
}

/** Shows a record again. */
export function showRecord(id: string): void {
  become(new Set([...hidden].filter((one) => one !== id)))
}

/** The ids of the hidden records. */
export function useHiddenIds(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => hidden)
}
