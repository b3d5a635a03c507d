import { text } from '../../texts/text.js'
import { element } from './element.js'
import { matchCount } from './match-count.js'
import { pressButton } from './press-button.js'
import type { FoundMatch } from './view.js'

/** The text to find, and the direction. */
export interface Search {
  readonly text: string
  readonly backwards: boolean
}

/** A search field that shows its result. */
export interface SearchField {
  readonly element: HTMLElement
  /** Clears the result, which no longer matches the view. */
  forget(): void
  close(): void
}

/**
 * `find` goes to the next match. Ctrl+F focuses the field and F3 repeats the search from anywhere on the
 * page.
 */
export function searchField(find: (search: Search) => Promise<FoundMatch | null>): SearchField {
  const field = element('input', 'viewer-field viewer-search-text')
  field.type = 'search'
  field.placeholder = text('search.placeholder')
  field.setAttribute('aria-label', text('search.label'))
  field.autocomplete = 'off'
  field.spellcheck = false
  const status = element('span', 'viewer-search-count')
  status.setAttribute('role', 'status')
  let latest = 0

  const search = async (backwards: boolean): Promise<void> => {
    latest += 1
    const own = latest
    if (field.value === '') return
    status.textContent = text('search.busy')
    const said = await find({ text: field.value, backwards }).then(matchCount, () => text('search.failed'))
    if (own === latest) status.textContent = said
  }
  const go = (backwards: boolean): void => {
    // Failures are already shown.
    search(backwards).catch(() => undefined)
  }

  const forget = (): void => {
    latest += 1
    status.textContent = ''
  }
  field.addEventListener('input', forget)
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') go(event.shiftKey)
  })
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'F3' && field.value !== '' && !whole.hidden) {
      event.preventDefault()
      go(event.shiftKey)
    }
    // A second Ctrl+F opens the browser's own search.
    const wanted = event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey) && !event.shiftKey
    if (!wanted || event.altKey || whole.hidden || document.activeElement === field) return
    event.preventDefault()
    field.focus()
    field.select()
  }
  document.addEventListener('keydown', onKey)

  const previous = pressButton(text('search.previous'), () => go(true), '↑')
  const next = pressButton(text('search.next'), () => go(false), '↓')
  const whole = element('div', 'viewer-search', field, previous, next, status)
  whole.setAttribute('role', 'search')
  return { element: whole, forget, close: () => document.removeEventListener('keydown', onKey) }
}
