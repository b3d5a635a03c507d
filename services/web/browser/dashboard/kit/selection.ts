import { useMemo, useState } from 'react'
import { text } from '../../../texts/text.js'
import { useCommands } from '../frame/commands.js'
import { afterToggle, noneChosen } from './after-toggle.js'
import { useLatest } from './use-latest.js'

/** Which records of a list are selected. */
export interface Selection {
  readonly ids: ReadonlySet<string>
  /** Selects a record, or no longer. `extend` does the same to all from the one before it up to this one. */
  toggle(id: string, extend: boolean): void
  clear(): void
}

/** A selection among the records shown; those that are gone are no longer selected. */
export function useSelection(shown: readonly { readonly id: string }[]): Selection {
  const [chosen, setChosen] = useState(noneChosen)
  const order = useMemo(() => shown.map(({ id }) => id), [shown])
  const ids = useMemo(() => new Set(order.filter((id) => chosen.ids.has(id))), [order, chosen])
  const toggle = useLatest((id: string, extend: boolean) =>
    setChosen((before) => afterToggle(order, before, id, extend)),
  )
  return {
    ids,
    toggle,
    clear: () => setChosen(noneChosen),
  }
}

/** The id of the row that keys mean: the one with the focus, else the one under the pointer. */
export function rowInHand(): string | null {
  const focused = document.activeElement?.closest<HTMLElement>('[data-record]')
  return (focused ?? document.querySelector<HTMLElement>('[data-record]:hover'))?.dataset.record ?? null
}

/** The keys that select the row in hand. */
export function useRowKeys(selection: Selection): void {
  const toggle = (extend: boolean): void => {
    const id = rowInHand()
    if (id !== null) selection.toggle(id, extend)
  }
  const shared = { icon: 'check', isKeysOnly: true } as const
  useCommands([
    { ...shared, id: 'select', label: text('command.select'), keys: 'x', run: () => toggle(false) },
    { ...shared, id: 'extend', label: text('command.extend'), keys: 'X', run: () => toggle(true) },
  ])
}
