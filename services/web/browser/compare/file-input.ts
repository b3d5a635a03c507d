import { text } from '../../texts/text.js'
import { takeDropsInto } from '../take-drops.js'
import { element } from '../viewer/element.js'

/** A chooser of a file, which may also be dropped on the page. The file never leaves the browser. */
export function fileInput(label: string, onFile: (file: File) => void): HTMLElement {
  const field = element('input', { class: 'compare-input', attributes: { type: 'file' } })
  const take = (file: File | null | undefined): void => {
    if (file === null || file === undefined) return
    ignoreDrops()
    onFile(file)
  }
  field.addEventListener('change', () => take(field.files?.item(0)))
  const ignoreDrops = takeDropsInto(document.body, ([file]) => take(file))
  return element(
    'label',
    'compare-field',
    label,
    field,
    element('span', 'compare-hint', text('compare.staysHere')),
  )
}
