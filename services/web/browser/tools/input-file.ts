import type { InputPosition } from '#engine/tools/tool-input-error.js'
import { readableSize, text } from '../../texts/text.js'
import { pageButton } from '../share/page-button.js'
import { element } from '../viewer/element.js'
import type { FileReading } from './lines-around.js'

/** A file shown in place of the text area, for which it may be far too large. */
export interface InputFile {
  readonly element: HTMLElement
  /** Shows the lines around a place of the text that the tool has read, and marks its line. */
  goTo(position: InputPosition, reading: FileReading): Promise<void>
}

const previewBytes = 16_384
const linesMax = 200
const lineLengthMax = 500

/** A character that is cut in the middle is shown as U+FFFD. */
async function firstLines(file: Blob): Promise<readonly string[]> {
  return (await file.slice(0, previewBytes).text()).split('\n').slice(0, linesMax)
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
  const remove = pageButton('tool-button', text('compare.noFile'), onRemove)
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
    const found = await firstLines(file)
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
    async goTo(position, reading) {
      const { line } = position
      const { linesAround } = await import('./lines-around.js')
      const around = await linesAround(file, position, reading)
      const { first } = around
      show(
        around.lines.map((content, index) => row(first + index, content, first + index === line)),
        text('tool.around', { line }),
      )
      lines.querySelector('.marked')?.scrollIntoView({ block: 'center' })
      lines.focus({ preventScroll: true })
    },
  }
}
