import { text } from '../../texts/text.js'
import type { TextForm, TextMatch } from '../document/document-reader.js'
import { cutNotice } from './cut-notice.js'
import { element } from './element.js'
import { type LineList, lineList } from './line-list.js'
import { lineOfPlace, linePlace } from './line-places.js'
import type { View, ViewParts } from './view.js'

/** A view of plain lines, which knows what is at its top so that another can go on from there. */
export interface LineView extends View {
  topLine(): number
}

/** Shows a text as lines without colours, however many there are. */
export async function openLineView(
  host: HTMLElement,
  { reader, onPlace, linkTo }: ViewParts,
  form: TextForm,
): Promise<LineView> {
  const lineCount = await reader.lineCount(form)
  const cut = cutNotice()
  const list: LineList = lineList({
    label: text(form === 'sent' ? 'view.raw' : 'view.text'),
    lineCount,
    async read(from, count) {
      const lines = await reader.lines(form, from, count)
      cut.see(lines)
      return lines
    },
    hrefOf: (line) => linkTo(linePlace(form, line)),
    onFailure: () => host.append(element('p', 'viewer-notice', text('view.failed'))),
  })
  let found: TextMatch | null = null

  list.element.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('.viewer-line-number') : null
    if (!(link instanceof HTMLElement) || event.metaKey || event.ctrlKey) return
    event.preventDefault()
    const line = Number(link.dataset.line)
    list.mark(line)
    onPlace(linePlace(form, line))
  })
  host.append(list.element, cut.element)

  return {
    topLine: list.topLine,
    async reveal(place) {
      const line = await lineOfPlace(reader, form, place)
      if (line === null || line >= lineCount) return false
      list.show(line, null)
      return true
    },
    async find(wanted) {
      found = await reader.findText(form, { ...wanted, caseSensitive: false }, found)
      if (found !== null) list.show(found.line, found)
      return found
    },
    setWrap: list.setWrap,
    close() {
      list.close()
      cut.element.remove()
    },
  }
}
