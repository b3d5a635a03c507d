import type { InputPosition } from '#engine/tools/tool.js'
import { readableSize } from '#libs/core/readable-text.js'
import { text } from '../../texts/text.js'
import { element } from '../viewer/element.js'

/** A file shown in place of the text area, for which it may be far too large. */
export interface InputFile {
  readonly element: HTMLElement
  /** Shows the lines around a place, and marks its line. */
  goTo(position: InputPosition): Promise<void>
}

const previewBytes = 16_384
const aroundBytes = 2_048
const linesMax = 200
const lineLengthMax = 500

/** From the file's own stream of bytes: what is cut in the middle of a character is shown as U+FFFD. */
async function linesOf(file: Blob, from: number, to: number): Promise<readonly string[]> {
  return (await file.slice(Math.max(0, from), to).text()).split('\n').slice(0, linesMax)
}

function row(number: number, line: string, isMarked: boolean): HTMLElement {
  const cut = line.length > lineLengthMax ? `${line.slice(0, lineLengthMax)}…` : line
  return element(
    'div',
    isMarked ? 'tool-line marked' : 'tool-line',
    element('span', { class: 'tool-line-number', attributes: { 'aria-hidden': 'true' } }, String(number)),
    element('span', 'tool-line-text', cut),
  )
}

/** Shows the name, the size and the beginning of a file. */
export function inputFile(file: File, onRemove: () => void): InputFile {
  const remove = element(
    'button',
    { class: 'tool-button', attributes: { type: 'button' } },
    text('tool.noFile'),
  )
  remove.addEventListener('click', onRemove)
  const lines = element('div', {
    class: 'tool-lines',
    attributes: { tabindex: '0', role: 'region', 'aria-label': text('tool.preview', { name: file.name }) },
  })
  const note = element('p', 'tool-hint')
  const show = (rows: readonly HTMLElement[], said: string): void => {
    lines.replaceChildren(...rows)
    note.textContent = said
  }
  const showStart = async (): Promise<void> => {
    const found = await linesOf(file, 0, previewBytes)
    const rows = found.map((line, index) => row(index + 1, line, false))
    show(rows, file.size > previewBytes ? text('tool.beginning') : '')
  }
  showStart().catch(() => show([], text('tool.unreadable')))
  const facts = element(
    'p',
    'tool-file-facts',
    element('strong', 'tool-file-name', file.name),
    element('span', 'tool-file-size', readableSize(file.size)),
    remove,
  )
  return {
    element: element('div', 'tool-file', facts, lines, note),
    async goTo({ offset, line }) {
      const from = Math.max(0, offset - aroundBytes)
      const before = await linesOf(file, from, offset)
      const first = line - before.length + 1
      const around = await linesOf(file, from, offset + aroundBytes)
      show(
        around.map((content, index) => row(first + index, content, first + index === line)),
        text('tool.around', { line }),
      )
      lines.querySelector('.marked')?.scrollIntoView({ block: 'center' })
      lines.focus({ preventScroll: true })
    },
  }
}
