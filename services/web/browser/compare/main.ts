import '../page-style.css'
import '../share/share.css'
import '../keep-fragment.js'
import { text } from '../../texts/text.js'
import { element } from '../viewer/element.js'
import { type ChosenOptions, parseOptions, withOptions } from './compare-options.js'
import { fileInput } from './file-input.js'
import { loadComparison } from './load-comparison.js'
import type { ComparedSide } from './open-comparison.js'
import { optionsForm } from './options-form.js'
import { shareIdOf } from './share-reference.js'
import { chooseTwoFiles } from './two-files.js'

/** What the script gets from the server about a share. */
interface SharedSide {
  readonly id: string
  readonly size_bytes: number
  readonly raw_path: string
}

/** What the server has written into the page. */
interface CompareSettings {
  readonly a: SharedSide
  /** `null` where the other side is still to be chosen. */
  readonly b: SharedSide | null
}

function sourceOf({ raw_path, size_bytes }: SharedSide): ComparedSide {
  return { rawPath: raw_path, sizeBytes: size_bytes, headers: async () => ({}) }
}

/** Shows a comparison, and shows it again with other options, which the address keeps. */
function showComparison(host: HTMLElement, sides: readonly [ComparedSide, ComparedSide]): { close(): void } {
  const query = new URLSearchParams(location.search)
  const place = element('div', '')
  let open = loadComparison(place, sides, parseOptions(query))
  const change = (options: ChosenOptions): void => {
    const search = withOptions(new URLSearchParams(location.search), options).toString()
    history.replaceState(history.state, '', `${location.pathname}${search === '' ? '' : `?${search}`}`)
    open.close()
    open = loadComparison(place, sides, options)
  }
  host.replaceChildren(optionsForm(parseOptions(query), change), place)
  return { close: () => open.close() }
}

/** Asks for the other side: the link of a share, or a file that stays in the browser. */
function askOther(host: HTMLElement, a: SharedSide): void {
  const link = element('input', {
    class: 'compare-input',
    attributes: { autocomplete: 'off', spellcheck: 'false', required: '' },
  })
  const problem = element('span', { class: 'compare-hint', attributes: { role: 'status' } })
  const compare = element(
    'button',
    { class: 'compare-apply', attributes: { type: 'submit' } },
    text('compare.start'),
  )
  const form = element(
    'form',
    'compare-form',
    element('label', 'compare-field', text('compare.otherShare'), link, problem),
    compare,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const id = shareIdOf(link.value)
    if (id === null) problem.textContent = text('compare.noShareLink')
    else location.assign(`/s/${a.id}/compare/${id}`)
  })
  form.append(
    fileInput(text('compare.orFile'), (chosen) => {
      showComparison(host, [sourceOf(a), chosen])
    }),
  )
  host.replaceChildren(form)
}

/** Shows each comparison of what is chosen in the place of the one before it. */
function compareFiles(host: HTMLElement, form: HTMLElement): void {
  let shown: { close(): void } | null = null
  chooseTwoFiles(form, (sides) => {
    shown?.close()
    shown = showComparison(host, sides)
  })
}

const [host, sides] = ['comparison', 'sides'].map((id) => document.getElementById(id))
if (host && sides) compareFiles(host, sides)
else if (host) {
  const { a, b }: CompareSettings = JSON.parse(host.dataset.comparison ?? '')
  if (b === null) askOther(host, a)
  else showComparison(host, [sourceOf(a), sourceOf(b)])
}
