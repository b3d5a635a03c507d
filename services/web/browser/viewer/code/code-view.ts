import { text } from '../../../texts/text.js'
import type { Line, TextForm, TextMatch } from '../../document/document-reader.js'
import { cutNotice } from '../cut-notice.js'
import { element } from '../element.js'
import { lineOfPlace, linePlace } from '../line-places.js'
import { pressButton } from '../press-button.js'
import type { View, ViewParts } from '../view.js'
import { codeEditor } from './code-editor.js'
import { heldText } from './held-text.js'
import { markPlace } from './part-state.js'
import { textLanguage } from './text-language.js'
import { partLimits } from './text-part.js'

/** Says which lines the editor holds while there are others, with a way to those. */
function partBar(lineCount: number, goTo: (line: number) => void) {
  let [first, end] = [0, 0]
  const status = element('span', 'viewer-part-lines')
  const earlier = pressButton(text('view.earlier'), () => goTo(Math.max(0, first - partLimits.lines / 2)))
  const later = pressButton(text('view.later'), () => goTo(Math.min(lineCount - 1, end)))
  const bar = element('div', 'viewer-part', status, earlier, later)
  bar.hidden = true
  return {
    bar,
    onPart(firstLine: number, endLine: number) {
      ;[first, end] = [firstLine, endLine]
      bar.hidden = first === 0 && end >= lineCount
      status.textContent = text('view.part', { first: first + 1, last: end, total: lineCount })
      earlier.disabled = first === 0
      later.disabled = end >= lineCount
    },
  }
}

/** Shows one form of the text in CodeMirror, beginning with this line at the top. */
export async function openCodeView(
  host: HTMLElement,
  { reader, document, onPlace }: ViewParts,
  { form, topLine }: { readonly form: TextForm; readonly topLine: number },
): Promise<View> {
  const lineCount = await reader.lineCount(form)
  const head = await reader.lines(form, 0, 20)
  const frame = element('div', 'viewer-code')
  const { view, setWrap, setFound } = codeEditor({
    host: frame,
    label: text('view.text'),
    language: textLanguage(document, head.map((line) => line.text).join('\n')),
    onLineNumber(line) {
      view.dispatch({ effects: markPlace.of({ line, match: null }) })
      onPlace(linePlace(form, line))
    },
  })
  const fail = (): void => frame.append(element('p', 'viewer-notice', text('view.failed')))
  const { bar, onPart } = partBar(lineCount, (line) => {
    held.goTo(line, 'start').catch(fail)
  })
  const cut = cutNotice()
  const read = async (from: number, count: number): Promise<readonly Line[]> => {
    const lines = await reader.lines(form, from, count)
    cut.see(lines)
    return lines
  }
  const held = heldText({ editor: view, read, lineCount, onPart, onFailure: fail })
  host.append(frame, bar, cut.element)
  await held.goTo(topLine, 'start')
  let found: TextMatch | null = null

  return {
    async reveal(place) {
      const line = await lineOfPlace(reader, form, place)
      if (line === null || line >= lineCount) return false
      await held.show({ line, match: null })
      return true
    },
    async find(wanted) {
      setFound(wanted.text)
      found = await reader.findText(form, { ...wanted, caseSensitive: false }, found)
      if (found !== null) await held.show({ line: found.line, match: found })
      return found
    },
    setWrap,
    close() {
      held.close()
      view.destroy()
      frame.remove()
      bar.remove()
      cut.element.remove()
    },
  }
}
