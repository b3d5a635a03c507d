import { element } from '../viewer/element.js'

/** The numbers beside the lines of a text area that does not wrap. */
export interface LineGutter {
  readonly element: HTMLElement
  /** To be called when the text has changed. */
  update(): void
  /** Marks a line, from 1; `null` for none. */
  mark(line: number | null): void
}

function linesOf(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

/** Shows only the numbers in sight: a text may have a million lines. */
export function lineGutter(area: HTMLTextAreaElement): LineGutter {
  const list = element('div', 'tool-numbers')
  const gutter = element('div', { class: 'tool-gutter', attributes: { 'aria-hidden': 'true' } }, list)
  let lines = 1
  let marked: number | null = null

  const draw = (): void => {
    const { lineHeight, paddingTop } = getComputedStyle(area)
    const height = Number.parseFloat(lineHeight)
    if (!(height > 0)) return
    const first = Math.floor(area.scrollTop / height)
    const count = Math.min(lines - first, Math.ceil(area.clientHeight / height) + 1)
    const numbers = Array.from({ length: Math.max(0, count) }, (_number, index) => {
      const line = first + index + 1
      return element('div', line === marked ? 'tool-number marked' : 'tool-number', String(line))
    })
    list.style.transform = `translateY(${first * height - area.scrollTop + Number.parseFloat(paddingTop)}px)`
    list.replaceChildren(...numbers)
  }

  area.addEventListener('scroll', draw, { passive: true })
  new ResizeObserver(draw).observe(area)
  return {
    element: gutter,
    update() {
      lines = linesOf(area.value)
      draw()
    },
    mark(line) {
      marked = line
      draw()
    },
  }
}
