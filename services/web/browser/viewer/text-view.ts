import { text } from '../../texts/text.js'
import type { TextForm, TextMatch } from '../document/document-reader.js'
import { cutNotice } from './cut-notice.js'
import { element } from './element.js'
import { coloursAtOnce } from './line-colours.js'
import { lineOfLink, linkToLine } from './line-links.js'
import { type LineList, lineList } from './line-list.js'
import type { ChosenValue, OpenView } from './view.js'

const labels = { shown: 'view.text', source: 'view.source', sent: 'view.raw' } as const

/** Shows one form of the text as coloured lines, however many there are. */
function textViewOf(form: TextForm): OpenView {
  return async (host, { reader, part, onLink, linkTo }) => {
    const lineCount = await reader.lineCount(form)
    const atOnce = coloursAtOnce(form === 'sent' ? 'json' : part.kind)
    const cut = cutNotice()
    const failure = element('p', 'viewer-notice', text('view.failed'))
    const onFailure = (): void => host.append(failure)
    const linesFrom = (line: number, end: number): ChosenValue => ({
      read: async () => (await import('./copied-lines.js')).copiedLines(reader, form, line, end),
    })
    const list: LineList = lineList({
      label: text(labels[form]),
      lineCount,
      colours: atOnce ?? (() => []),
      async read(from, count) {
        const lines = await reader.lines(form, from, count)
        cut.see(lines)
        return lines
      },
      hrefOf: (line) => linkTo(linkToLine(form, line)),
      onChosen: (line, end) => onLink(linkToLine(form, line, end), linesFrom(line, end)),
      onFailure,
    })
    let found: TextMatch | null = null
    let isOpen = true
    host.append(list.element, cut.element)
    if (atOnce === null)
      import('./kind-colours.js')
        .then(({ coloursOf }) => coloursOf(part.kind, part.sizeBytes, () => reader.wholeText(form)))
        .then((colours) => isOpen && list.setColours(colours))
        // Then it stays plain.
        .catch(() => undefined)

    return {
      async reveal(place) {
        const line = await lineOfLink(reader, form, place)
        if (line === null || line >= lineCount) return false
        const end = place.kind === 'line' ? Math.min((place.end ?? place.line) - 1, lineCount - 1) : line
        list.show(line, end, null)
        if (place.kind === 'line') onLink(place, linesFrom(line, end))
        return true
      },
      async find(wanted) {
        list.setFound(wanted.text)
        found = await reader.findText(form, { ...wanted, caseSensitive: false }, found)
        if (found !== null) list.show(found.line, found.line, found)
        return found
      },
      unmark: list.unmark,
      setWrap: list.setWrap,
      close() {
        isOpen = false
        list.close()
        cut.element.remove()
      },
    }
  }
}

/** Shows the formatted text, such as pretty-printed JSON. */
export const openTextView: OpenView = textViewOf('shown')

/** Shows the text of a part as sent. */
export const openSourceView: OpenView = textViewOf('source')

/** Shows the JSON text of all data as sent, byte for byte. */
export const openRawView: OpenView = textViewOf('sent')
