import { text } from '../../texts/text.js'
import { button, element } from './element.js'
import './value-panel.css'

/** A panel below a view for a value that does not fit into its row. */
export interface ValuePanel {
  readonly element: HTMLElement
  show(title: string, value: string): void
  hide(): void
}

/** Showing more would make the page slow; copying copies all of it. */
const shownLengthMax = 100_000

/** Creates a hidden panel. `onClosed` is called when the user closes it. */
export function valuePanel(copy: (text: string) => Promise<void>, onClosed: () => void): ValuePanel {
  const name = element('bdi', { class: 'value-name' })
  const content = element('pre', {
    attributes: { tabindex: 0, role: 'region', 'aria-label': text('value.label') },
  })
  const note = element('p', { class: 'value-note' })
  const copying = button(text('value.copy'), text('value.copy'), 'copy')
  const closing = button(text('value.close'), text('value.close'), 'close')
  const bar = element('div', { class: 'value-bar' }, name, copying, closing)
  const panel = element(
    'section',
    { class: 'value-panel', attributes: { 'aria-label': text('value.label') } },
    bar,
    content,
    note,
  )
  panel.hidden = true
  let whole = ''

  const hide = (): void => {
    panel.hidden = true
    whole = ''
    content.textContent = ''
  }
  const close = (): void => {
    hide()
    onClosed()
  }
  copying.addEventListener('click', () => void copy(whole))
  closing.addEventListener('click', close)
  panel.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') close()
  })

  return {
    element: panel,
    show(title, value) {
      whole = value
      name.textContent = title
      content.textContent = value.slice(0, shownLengthMax)
      const left = value.length - shownLengthMax
      note.textContent = left > 0 ? text('value.cut', { count: left }) : ''
      panel.hidden = false
    },
    hide,
  }
}
