import { text } from '../../texts/text.js'
import { element } from '../viewer/element.js'

/** Adds a field to the list of other tools, which finds one as someone types; Enter goes to the first. */
export function openToolSwitch(host: HTMLDetailsElement): void {
  const items = [...host.querySelectorAll('li')]
  const field = element('input', {
    class: 'tool-field',
    attributes: { type: 'search', placeholder: text('tools.search'), 'aria-label': text('tools.search') },
  })
  host.querySelector('.tool-switch-list')?.prepend(field)
  const filter = (): void => {
    const words = field.value.toLowerCase().split(/\s+/)
    for (const item of items)
      item.hidden = !words.every((word) => item.textContent.toLowerCase().includes(word))
  }
  const close = (): void => {
    host.open = false
    host.querySelector('summary')?.focus()
  }
  field.addEventListener('input', filter)
  host.addEventListener('toggle', () => {
    if (!host.open) return
    field.value = ''
    filter()
    field.focus()
  })
  host.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close()
    if (event.key !== 'Enter' || event.target !== field) return
    // Not the form around it.
    event.preventDefault()
    items
      .find((item) => !item.hidden)
      ?.querySelector('a')
      ?.click()
  })
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !host.contains(target)) host.open = false
  })
}
