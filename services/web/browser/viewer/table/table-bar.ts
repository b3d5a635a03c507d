import { text } from '../../../texts/text.js'
import { button, element } from '../element.js'

/** The bar above a table: the row count, and actions for the active cell. */
export interface TableBar {
  readonly element: HTMLElement
  setCount(count: string): void
  /** Enables or disables the actions for a cell. */
  setCell(address: string | null): void
}

/** Creates the bar; `onAction` is called with `show`, `copy` or `link`. */
export function tableBar(hasLink: boolean, onAction: (action: string) => void): TableBar {
  const count = element('span', { class: 'table-count', attributes: { role: 'status' } })
  const address = element('bdi', { class: 'table-address' })
  const buttons = [
    button(text('table.show'), text('table.show-cell'), 'show'),
    button(text('table.copy-cell'), text('table.copy-cell'), 'copy'),
    ...(hasLink ? [button(text('table.copy-link'), text('table.copy-link'), 'link')] : []),
  ]
  for (const one of buttons) {
    one.disabled = true
    one.addEventListener('click', () => onAction(one.dataset.action ?? ''))
  }
  const made = element('div', { class: 'table-bar' }, count, address, ...buttons)
  return {
    element: made,
    setCount: (now) => {
      count.textContent = now
    },
    setCell: (now) => {
      address.textContent = now ?? ''
      for (const one of buttons) one.disabled = now === null
    },
  }
}
