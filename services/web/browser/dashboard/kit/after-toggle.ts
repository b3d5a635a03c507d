/** What is selected. */
export interface Chosen {
  readonly ids: ReadonlySet<string>
  /** Where a range begins. */
  readonly from: string | null
}

export const noneChosen: Chosen = { ids: new Set(), from: null }

/** The selection after one was toggled, perhaps with all between it and where the last one was. */
export function afterToggle(shown: readonly string[], chosen: Chosen, id: string, extend: boolean): Chosen {
  const [start, end] = [chosen.from === null ? -1 : shown.indexOf(chosen.from), shown.indexOf(id)]
  if (extend && start >= 0 && end >= 0) {
    const range = shown.slice(Math.min(start, end), Math.max(start, end) + 1)
    return { ids: new Set([...chosen.ids, ...range]), from: id }
  }
  const ids = new Set(chosen.ids)
  if (!ids.delete(id)) ids.add(id)
  return { ids, from: id }
}
