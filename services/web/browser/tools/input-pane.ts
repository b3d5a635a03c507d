import type { InputPosition } from '#engine/tools/tool-input-error.js'
import { readableSize, text } from '../../texts/text.js'
import { pageButton } from '../share/page-button.js'
import { takeDropsInto } from '../take-drops.js'
import { element } from '../viewer/element.js'
import { replaceText, takeLongPastes, textLengthMax } from './edited-text.js'
import { type InputFile, inputFile } from './input-file.js'
import { lineGutter } from './line-gutter.js'
import type { FileReading } from './lines-around.js'
import { offsetOfPosition, positionOfOffset } from './text-position.js'

/** What a tool is run on. */
export interface ToolInput {
  readonly blob: Blob
  /** Of a file; `null` for text, however long. */
  readonly name: string | null
}

/** The left side of the page. */
export interface InputPane {
  /** `null` while there is none. */
  input(): ToolInput | null
  /** Takes the place of the input. A file that fits becomes text that can be edited; longer text is shown as a file. */
  take(input: string | File): Promise<void>
  /** Goes to a place of the input as the tool reads it, and marks its line. */
  goTo(position: InputPosition, reading: FileReading): void
  /** The text of a line, from 1; `null` if it is not at hand. */
  lineAt(line: number): string | null
  /** Marks the line that is wrong; `null` for none. */
  mark(position: InputPosition | null): void
}

/** The text of a file that a text area keeps byte for byte; `null` for any other. Escapes may be of ISO-2022-JP. */
async function editableText(file: File): Promise<string | null> {
  if (file.size > textLengthMax) return null
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    const found = decoder.decode(await file.arrayBuffer())
    return /[\r\0\ufeff]/.test(found) || found.includes('\u001b') ? null : found
  } catch {
    return null
  }
}

function goToText(area: HTMLTextAreaElement, { line, column }: InputPosition): void {
  const offset = offsetOfPosition(area.value, line, column)
  area.focus({ preventScroll: true })
  area.setSelectionRange(offset, Math.min(offset + 1, area.value.length))
  const height = Number.parseFloat(getComputedStyle(area).lineHeight)
  area.scrollTop = Math.max(0, (line - 1) * height - area.clientHeight / 2)
  area.scrollIntoView({ block: 'nearest' })
}

/** What `inputPane` needs of the page. */
export interface InputPaneParts {
  readonly area: HTMLTextAreaElement
  readonly editor: HTMLElement
  readonly pane: HTMLElement
  /** Says where the cursor stands, and how long the text is. */
  readonly caret: HTMLElement
  /** Loads the example. */
  onExample(): void
  /** Called for each change by the keyboard, which more may follow at once. */
  onTyped(): void
  /** Called for each other change. */
  onChange(): void
}

/** Brings the text area of the page to life: numbers beside its lines, files, and where the cursor stands. */
export function inputPane({
  area,
  editor,
  pane,
  caret,
  onExample,
  onTyped,
  onChange,
}: InputPaneParts): InputPane {
  const gutter = lineGutter(area)
  editor.prepend(gutter.element)
  let file: { readonly given: ToolInput; readonly shown: InputFile } | null = null

  const showCaret = (): void => {
    if (document.activeElement !== area) return
    const place = text('tool.caret', positionOfOffset(area.value, area.selectionStart))
    const size = readableSize(new Blob([area.value]).size)
    caret.textContent = area.value === '' ? place : [place, size, text('tool.inTab')].join(' · ')
  }
  document.addEventListener('selectionchange', showCaret)

  const showText = (value: string): void => {
    file?.shown.element.remove()
    file = null
    editor.hidden = false
    caret.hidden = false
    replaceText(area, value)
    gutter.mark(null)
    gutter.update()
  }
  const showFile = (chosen: File, name: string | null = chosen.name): void => {
    showText('')
    const shown = inputFile(chosen, () => {
      showText('')
      area.focus()
      onChange()
    })
    file = { given: { blob: chosen, name }, shown }
    editor.hidden = true
    caret.hidden = true
    editor.after(shown.element)
  }
  const take = async (input: string | File): Promise<void> => {
    const editable = typeof input === 'string' ? input : await editableText(input)
    if (editable !== null && editable.length <= textLengthMax) showText(editable)
    else if (typeof input === 'string') showFile(new File([input], text('compare.pastedText')), null)
    else showFile(input)
    onChange()
  }
  const takeChosen = (chosen: File): void => void take(chosen).catch(() => showFile(chosen))

  const chooser = element('input', { attributes: { type: 'file', tabindex: '-1', 'aria-hidden': 'true' } })
  chooser.hidden = true
  chooser.addEventListener('change', () => {
    const chosen = chooser.files?.item(0)
    if (chosen) takeChosen(chosen)
    chooser.value = ''
  })
  takeDropsInto(pane, ([file]) => file !== undefined && takeChosen(file))
  area.addEventListener('input', () => {
    gutter.mark(null)
    gutter.update()
    onTyped()
  })
  takeLongPastes(area, (pasted) => void take(pasted))
  pane.querySelector('.coming')?.remove()
  pane.querySelector('.tool-bar')?.append(
    element(
      'div',
      'tool-buttons',
      pageButton('tool-button', text('tool.chooseFile'), () => chooser.click()),
      pageButton('tool-button', text('tool.example'), onExample),
      pageButton('tool-button', text('kit.clear'), () => {
        showText('')
        area.focus()
        onChange()
      }),
      chooser,
    ),
  )
  gutter.update()

  return {
    input() {
      if (file !== null) return file.given
      return area.value === '' ? null : { blob: new Blob([area.value]), name: null }
    },
    take,
    goTo(position, reading) {
      if (file === null) goToText(area, position)
      else file.shown.goTo(position, reading).catch(() => undefined)
    },
    lineAt: (line) => (file === null ? (area.value.split('\n', line)[line - 1] ?? null) : null),
    mark: (position) => gutter.mark(position?.line ?? null),
  }
}
