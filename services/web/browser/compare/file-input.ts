import { text } from '../../texts/text.js'
import { element } from '../viewer/element.js'

/** Takes files that are dropped anywhere on the page, and shows `target` while they are above it, until it is closed. */
export function takeDrops(target: HTMLElement, take: (files: readonly File[]) => void): () => void {
  const closed = new AbortController()
  const { signal } = closed
  const over = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files') !== true) return
    event.preventDefault()
    target.classList.add('compare-over')
  }
  const leave = ({ relatedTarget }: DragEvent): void => {
    if (relatedTarget === null) target.classList.remove('compare-over')
  }
  const drop = (event: DragEvent): void => {
    target.classList.remove('compare-over')
    const files = [...(event.dataTransfer?.files ?? [])]
    if (files.length === 0) return
    event.preventDefault()
    take(files)
  }
  document.addEventListener('dragover', over, { signal })
  document.addEventListener('dragleave', leave, { signal })
  document.addEventListener('drop', drop, { signal })
  return () => closed.abort()
}

/** A chooser of a file, which may also be dropped on the page. The file never leaves the browser. */
export function fileInput(label: string, onFile: (file: File) => void): HTMLElement {
  const field = element('input', { class: 'compare-input', attributes: { type: 'file' } })
  const take = (file: File | null | undefined): void => {
    if (file === null || file === undefined) return
    ignoreDrops()
    onFile(file)
  }
  field.addEventListener('change', () => take(field.files?.item(0)))
  const ignoreDrops = takeDrops(document.body, ([file]) => take(file))
  return element(
    'label',
    'compare-field',
    label,
    field,
    element('span', 'compare-hint', text('compare.staysHere')),
  )
}
