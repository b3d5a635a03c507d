import { EditorSelection } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { Line } from '../../document/document-reader.js'
import { heldPart, holdPart, type Marked, markPlace, rangeOfLine } from './part-state.js'
import { changesBetween, endOf, readPart } from './text-part.js'

/** A text of any length in an editor that holds a part of it at a time. Lines are counted from 0. */
export interface HeldText {
  /** The line at the top of the view. */
  topLine(): number
  /** Scrolls to a line, which comes to stand here in the view. */
  goTo(line: number, at: 'start' | 'center'): Promise<void>
  /** Marks this, and goes there when it is not in sight. */
  show(marked: Marked): Promise<void>
  close(): void
}

/** What is held by whom, and who is told of it. */
export interface HeldTextParts {
  readonly editor: EditorView
  readonly lineCount: number
  read(from: number, count: number): Promise<readonly Line[]>
  onPart(firstLine: number, endLine: number): void
  onFailure(error: unknown): void
}

/** Fills the editor, and goes on filling it as it is scrolled near an end of what it holds. */
export function heldText(parts: HeldTextParts): HeldText {
  const { editor, lineCount, onPart, onFailure } = parts
  let moving: Promise<void> = Promise.resolve()

  const partAround = async (line: number): Promise<void> => {
    const next = await readPart(parts.read, line)
    const changes = editor.state.changes(changesBetween(editor.state.field(heldPart), next))
    // What is in sight stays where it is.
    const inSight = editor.scrollSnapshot().map(changes)
    const effects = [holdPart.of(next), ...(inSight === undefined ? [] : [inSight])]
    editor.dispatch({ changes, effects })
    onPart(next.firstLine, endOf(next))
  }
  /** One after the other: each begins with the part that the last one left. */
  const hold = (line: number): Promise<void> => {
    moving = moving.catch(() => undefined).then(() => partAround(line))
    return moving
  }

  const lineAtHeight = (height: number): number =>
    editor.state.doc.lineAt(editor.lineBlockAtHeight(height).from).number -
    1 +
    editor.state.field(heldPart).firstLine
  const linesInSight = (): readonly [number, number] => {
    const { scrollTop, clientHeight } = editor.scrollDOM
    return [lineAtHeight(scrollTop), lineAtHeight(scrollTop + clientHeight)]
  }

  let scrolling = false
  const onScroll = (): void => {
    const part = editor.state.field(heldPart)
    const margin = Math.ceil(part.lines.length / 10)
    const [top, bottom] = linesInSight()
    const above = part.firstLine > 0 && top < part.firstLine + margin
    const below = endOf(part) < lineCount && bottom >= endOf(part) - margin
    if (scrolling || part.lines.length === 0 || !(above || below)) return
    scrolling = true
    hold(Math.floor((top + bottom) / 2))
      .catch(onFailure)
      .finally(() => {
        scrolling = false
      })
  }
  editor.scrollDOM.addEventListener('scroll', onScroll, { passive: true })

  const goTo = async (line: number, y: 'start' | 'center', match: Marked['match']): Promise<void> => {
    if (rangeOfLine(editor.state, line) === null) await hold(line)
    const range = rangeOfLine(editor.state, line)
    if (range === null) return
    const from = Math.min(range.to, range.from + (match?.column ?? 0))
    const shown = EditorSelection.range(from, Math.min(range.to, from + (match?.length ?? 0)))
    const scroll = EditorView.scrollIntoView(shown, { y, x: 'nearest', yMargin: 0, xMargin: 32 })
    editor.dispatch({ selection: EditorSelection.cursor(from), effects: scroll })
  }
  return {
    topLine: () => linesInSight()[0],
    goTo: (line, at) => goTo(line, at, null),
    async show(marked) {
      editor.dispatch({ effects: markPlace.of(marked) })
      await goTo(marked.line, 'center', marked.match)
    },
    close: () => editor.scrollDOM.removeEventListener('scroll', onScroll),
  }
}
