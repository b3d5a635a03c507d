import { text } from '../../texts/text.js'
import { element, pressButton } from './element.js'
import { matchCount } from './match-count.js'
import { toggleButton } from './toggle-button.js'
import type { FoundMatch, ViewName, ViewSearch } from './view.js'

/** A search field that shows its result. */
export interface SearchField {
  readonly element: HTMLElement
  /** Goes to the field; `false` where there is none. */
  focus(): boolean
  /** Suits the field to a view that was just opened, whose result it does not show yet. */
  suit(view: ViewName): void
  /** Called with the filter of the table; one that the field has not set was removed to show a hidden row. */
  noteFilter(filter: string): void
  close(): void
}

/** What the field searches. */
export interface SearchFieldParts {
  /** Larger documents are searched when Enter is pressed, not while typing. */
  readonly sizeBytes: number
  /** Goes to a match of the open view. */
  find(wanted: ViewSearch): Promise<FoundMatch | null>
  /** Shows only the rows of the open table that contain a text; all of them when it is empty. */
  filter(text: string): Promise<void>
}

const typedBytesMax = 5 * 1_048_576
const pauseMs = 150

/** Runs one search at a time. Of those that come meanwhile only the last one runs, and only its result is shown. */
function oneAtATime(
  search: (wanted: ViewSearch) => Promise<string>,
  show: (result: string) => void,
): (wanted: ViewSearch | null) => void {
  let isRunning = false
  let waiting: ViewSearch | null = null
  let latest = 0
  const run = async (wanted: ViewSearch): Promise<void> => {
    const own = latest
    isRunning = true
    const result = await search(wanted).catch(() => text('search.failed'))
    isRunning = false
    if (own === latest) show(result)
    const next = waiting
    waiting = null
    if (next !== null) await run(next)
  }
  return (wanted) => {
    latest += 1
    if (isRunning || wanted === null) waiting = wanted
    else void run(wanted)
  }
}

/**
 * Searches while the reader types. Enter goes to the next match, Shift+Enter to the one before; Ctrl+F focuses the
 * field and F3 repeats the search from anywhere on the page.
 */
export function searchField({ sizeBytes, find, filter }: SearchFieldParts): SearchField {
  const waitsForEnter = sizeBytes > typedBytesMax
  const field = element('input', {
    class: 'viewer-search-text',
    attributes: {
      type: 'search',
      placeholder: text(waitsForEnter ? 'search.enter' : 'search.placeholder'),
      'aria-label': text('search.label'),
      autocomplete: 'off',
      spellcheck: 'false',
    },
  })
  const status = element('span', { class: 'viewer-search-count', attributes: { role: 'status' } })
  /** What the view was last searched for, and filtered by. */
  let [searched, filtered] = ['', '']
  let pause: ReturnType<typeof setTimeout> | undefined

  const filterText = (): string => (onlyMatches.isOn() ? field.value : '')
  /** The steps and the filter are there while there is something to search for. */
  const suitText = (): void => {
    whole.classList.toggle('viewer-search-empty', field.value === '')
  }
  const start = oneAtATime(
    async (wanted) => {
      const rows = onlyMatches.element.hidden ? filtered : filterText()
      if (rows !== filtered) {
        filtered = rows
        await filter(rows)
      }
      const found = await find(wanted)
      return wanted.text === '' ? '' : matchCount(found)
    },
    (result) => {
      status.textContent = result
    },
  )
  const search = (backwards: boolean, isHere = field.value !== searched): void => {
    clearTimeout(pause)
    const { value } = field
    searched = value
    if (waitsForEnter && value !== '') status.textContent = text('search.busy')
    start({ text: value, backwards, isHere })
  }
  const onlyMatches = toggleButton(
    text('search.onlyMatches'),
    () => {
      if (filterText() !== filtered) search(false, true)
    },
    text('search.filter'),
  )

  field.addEventListener('input', () => {
    suitText()
    clearTimeout(pause)
    start(null)
    status.textContent = waitsForEnter && field.value !== '' ? text('search.enter') : ''
    if (!waitsForEnter || field.value === '') pause = setTimeout(() => search(false, true), pauseMs)
  })
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && field.value !== '') search(event.shiftKey)
    if (event.key !== 'Escape') return
    setOpen(false)
    opener.focus()
  })
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'F3' && field.value !== '' && !whole.hidden) {
      event.preventDefault()
      search(event.shiftKey)
    }
    // A second Ctrl+F opens the browser's own search.
    const wanted = event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey) && !event.shiftKey
    if (!wanted || event.altKey || whole.hidden || document.activeElement === field) return
    event.preventDefault()
    focus()
  }
  document.addEventListener('keydown', onKey)

  const again = (backwards: boolean) => (): void => {
    if (field.value !== '') search(backwards)
  }
  const previous = pressButton(text('search.previous'), again(true), '↑')
  const next = pressButton(text('search.next'), again(false), '↓')
  const box = element(
    'div',
    'viewer-field viewer-search-box',
    field,
    status,
    onlyMatches.element,
    previous,
    next,
  )
  // Only where there is no room for the field beside all else.
  const opener = pressButton(text('search.label'), () => focus(), '')
  opener.classList.add('viewer-search-opener')
  const closer = pressButton(text('kit.close'), () => setOpen(false), '×')
  closer.classList.add('viewer-search-closer')
  const whole = element('div', 'viewer-search', opener, box, closer)
  const setOpen = (isOpen: boolean): void => {
    whole.classList.toggle('viewer-searching', isOpen)
  }
  const focus = (): void => {
    setOpen(true)
    field.focus()
    field.select()
  }
  suitText()
  whole.setAttribute('role', 'search')
  return {
    element: whole,
    focus() {
      if (!whole.hidden) focus()
      return !whole.hidden
    },
    suit(view) {
      whole.hidden = view === 'rendered' || view === 'picture' || view === 'diff'
      onlyMatches.element.hidden = view !== 'table'
      clearTimeout(pause)
      start(null)
      searched = ''
      status.textContent = ''
      if (view === 'table' && filterText() !== filtered) search(false, true)
    },
    noteFilter(rows) {
      if (rows === filtered) return
      filtered = rows
      onlyMatches.set(false)
    },
    close() {
      clearTimeout(pause)
      document.removeEventListener('keydown', onKey)
    },
  }
}
