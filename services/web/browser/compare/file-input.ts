import { text } from '../../texts/text.js'
import { element } from '../viewer/element.js'

/** A chooser of a file, which may also be dropped on `target`. The file never leaves the browser. */
export function fileInput(
  label: string,
  target: HTMLElement,
  onFile: (file: File) => void,
): { readonly element: HTMLElement; close(): void } {
  const field = element('input', { class: 'compare-input', attributes: { type: 'file' } })
  const take = (file: File | null | undefined): void => {
    if (file !== null && file !== undefined) onFile(file)
  }
  field.addEventListener('change', () => take(field.files?.item(0)))
  const over = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files') !== true) return
    event.preventDefault()
    target.classList.add('compare-over')
  }
  const leave = (): void => target.classList.remove('compare-over')
  const drop = (event: DragEvent): void => {
    leave()
    const file = event.dataTransfer?.files.item(0)
    if (file === null || file === undefined) return
    event.preventDefault()
    take(file)
  }
  target.addEventListener('dragover', over)
  target.addEventListener('dragleave', leave)
  target.addEventListener('drop', drop)
  const hint = element('span', 'compare-hint', text('compare.staysHere'))
  return {
    element: element('label', 'compare-field', label, field, hint),
    close() {
      target.removeEventListener('dragover', over)
      target.removeEventListener('dragleave', leave)
      target.removeEventListener('drop', drop)
    },
  }
}
