import { element } from './element.js'
import type { ValuePanel } from './value-panel.js'

/** The place of a panel for whole values, which is loaded when the first one is shown. */
export interface ValuePlace {
  readonly element: HTMLElement
  show(title: string, value: string): Promise<void>
}

/** An empty place; `onClosed` is called when the user closes the panel. */
export function valuePlace(copy: (text: string) => Promise<void>, onClosed: () => void): ValuePlace {
  const place = element('div', 'value-place')
  let panel: ValuePanel | null = null
  return {
    element: place,
    async show(title, value) {
      const { valuePanel } = await import('./value-panel.js')
      panel ??= valuePanel(copy, onClosed)
      place.replaceChildren(panel.element)
      panel.show(title, value)
    },
  }
}
