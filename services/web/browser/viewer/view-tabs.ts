import { type TextName, text } from '../../texts/text.js'
import { element } from './element.js'
import type { ViewName } from './view.js'

/** Tabs, each with its panel. */
export interface ViewTabs {
  readonly tabList: HTMLElement
  readonly panels: readonly HTMLElement[]
  /** The views that have tabs, in order. */
  readonly tabbed: readonly ViewName[]
  panelOf(view: ViewName): HTMLElement
  /** Selects the tab and shows its panel. */
  select(view: ViewName): void
}

/** The tab that a key leads to; `null` for other keys. */
export function tabAfter(key: string, from: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return (from + 1) % count
    case 'ArrowLeft':
      return (from + count - 1) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

function tabOf(view: ViewName, prefix: string, label: TextName): HTMLButtonElement {
  const tab = element('button', 'viewer-tab', text(label))
  tab.type = 'button'
  tab.id = `${prefix}-${view}`
  tab.setAttribute('role', 'tab')
  tab.setAttribute('aria-controls', `${prefix}-${view}-panel`)
  return tab
}

function panelOf(view: ViewName, prefix: string, tab: ViewName | null, label: TextName): HTMLElement {
  const panel = element('div', 'viewer-panel')
  panel.id = `${prefix}-${view}-panel`
  panel.setAttribute('role', 'tabpanel')
  if (tab === null) panel.ariaLabel = text(label)
  else panel.setAttribute('aria-labelledby', `${prefix}-${tab}`)
  panel.hidden = true
  return panel
}

/**
 * Arrow keys move between the tabs; Enter opens, since a view may need to load. Views without a tab of their own are
 * open under another's, or none.
 */
export function viewTabs(
  views: readonly ViewName[],
  onChoose: (view: ViewName) => void,
  labels: Partial<Record<ViewName, TextName>> = {},
  tabFor: (view: ViewName) => ViewName | null = (view) => view,
): ViewTabs {
  const prefix = `view-${crypto.getRandomValues(new Uint32Array(1)).join('')}`
  const labelOf = (view: ViewName): TextName => labels[view] ?? `view.${view}`
  const tabbed = views.filter((view) => tabFor(view) === view)
  const tabs = new Map(tabbed.map((view) => [view, tabOf(view, prefix, labelOf(view))]))
  const panels = new Map(views.map((view) => [view, panelOf(view, prefix, tabFor(view), labelOf(view))]))
  const list = [...tabs.values()]
  const tabList = element('div', 'viewer-tabs', ...list)
  tabList.setAttribute('role', 'tablist')
  tabList.setAttribute('aria-label', text('view.views'))
  for (const [view, tab] of tabs) tab.addEventListener('click', () => onChoose(view))
  tabList.addEventListener('keydown', (event) => {
    const next = tabAfter(
      event.key,
      list.findIndex((tab) => tab.matches(':focus')),
      list.length,
    )
    if (next === null) return
    event.preventDefault()
    list[next]?.focus()
  })
  return {
    tabList,
    panels: [...panels.values()],
    tabbed,
    panelOf(view) {
      const panel = panels.get(view)
      if (panel === undefined) throw new RangeError(`This document has no ${view} view`)
      return panel
    },
    select(chosen) {
      const selected = tabFor(chosen)
      for (const [view, tab] of tabs) {
        tab.setAttribute('aria-selected', String(view === selected))
        tab.tabIndex = view === (selected ?? tabbed[0]) ? 0 : -1
      }
      for (const [view, panel] of panels) panel.hidden = view !== chosen
    },
  }
}
