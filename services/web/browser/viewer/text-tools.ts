import { text } from '../../texts/text.js'
import { element } from './element.js'
import { toggleButton } from './toggle-button.js'
import type { ViewName } from './view.js'

/** Options of views with lines. */
export interface TextTools {
  readonly element: HTMLElement
  /** Shows the tools of this view. */
  suit(view: ViewName): void
}

export interface TextToolActions {
  setWrap(wrap: boolean): void
  /** Lines are counted from 1. */
  goToLine(line: number): void
}

function lineField(goToLine: (line: number) => void): HTMLElement {
  const field = element('input', 'viewer-field viewer-line-field')
  field.inputMode = 'numeric'
  field.autocomplete = 'off'
  field.placeholder = text('tools.line')
  field.setAttribute('aria-label', text('tools.goToLine'))
  const form = element('form', 'viewer-line-form', field)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const line = Number(field.value.replace(/[\s.,]/g, ''))
    if (Number.isInteger(line) && line > 0) goToLine(line)
  })
  return form
}

/** The tools of text views. */
export function textTools({ setWrap, goToLine }: TextToolActions): TextTools {
  const wrap = toggleButton(text('tools.wrap'), setWrap)
  const line = lineField(goToLine)
  const whole = element('div', 'viewer-tools', line, wrap.element)
  return {
    element: whole,
    suit(view) {
      whole.hidden = view !== 'text' && view !== 'source' && view !== 'raw'
    },
  }
}
