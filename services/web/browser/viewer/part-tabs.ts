import { text } from '../../texts/text.js'
import { element } from './element.js'
import { tabAfter } from './view-tabs.js'

/** Scrolls a list to one of its items, sideways alone: `scrollIntoView` would scroll the page as well. */
function showWithin(list: HTMLElement, item: HTMLElement): void {
  const [bounds, own] = [list.getBoundingClientRect(), item.getBoundingClientRect()]
  if (own.left < bounds.left) list.scrollLeft += own.left - bounds.left
  else if (own.right > bounds.right) list.scrollLeft += own.right - bounds.right
}

/** A tab for each part of the data, above their shared panel. */
export interface PartTabs {
  readonly element: HTMLElement
  /** Marks the tab of the open part. */
  select(index: number): void
}

/** Creates the tabs. Arrow keys move between them; Enter opens, since a part may take a moment. */
export function partTabs(
  names: readonly string[],
  panel: HTMLElement,
  onChoose: (index: number) => void,
): PartTabs {
  const prefix = `part-${crypto.getRandomValues(new Uint32Array(1)).join('')}`
  panel.id = `${prefix}-panel`
  panel.setAttribute('role', 'tabpanel')
  const tabs = names.map((name, index) => {
    const attributes = { type: 'button', role: 'tab', id: `${prefix}-${index}`, 'aria-controls': panel.id }
    const tab = element(
      'button',
      { class: 'viewer-tab viewer-part-tab', attributes },
      name === '' ? '""' : name,
    )
    tab.addEventListener('click', () => onChoose(index))
    return tab
  })
  const list = element('div', { class: 'viewer-parts', attributes: { role: 'tablist' } }, ...tabs)
  list.setAttribute('aria-label', text('parts.label'))
  list.addEventListener('keydown', (event) => {
    const from = tabs.findIndex((tab) => tab.matches(':focus'))
    const next = tabAfter(event.key, from, tabs.length)
    if (next === null) return
    event.preventDefault()
    tabs[next]?.focus()
  })
  return {
    element: list,
    select(index) {
      tabs.forEach((tab, place) => {
        tab.setAttribute('aria-selected', String(place === index))
        tab.tabIndex = place === index ? 0 : -1
      })
      panel.setAttribute('aria-labelledby', `${prefix}-${index}`)
      const tab = tabs[index]
      if (tab !== undefined) showWithin(list, tab)
    },
  }
}
