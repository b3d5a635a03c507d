import type { OptionControl, OptionField } from '#engine/tools/option-fields.js'
import { type Html, html } from '#libs/html/html.js'
import { optionText } from '../texts/tool-options.js'

const idOf = (name: string): string => `option-${name}`
const aboutOf = (name: string): string => `about-${name}`

/** The control of an option; scripts find its default in `data-fallback`. */
function controlOf({ name, fallback, control }: OptionField): Html {
  const common = html`id="${idOf(name)}" name="${name}" data-fallback="${fallback}" aria-describedby="${aboutOf(name)}"`
  switch (control.kind) {
    case 'choice':
      return html`<select lang="en" ${common}>${control.choices.map((choice) =>
        choice === fallback ? html`<option selected>${choice}</option>` : html`<option>${choice}</option>`,
      )}</select>`
    case 'switch':
      return html`<input type="checkbox" value="true" ${common}${fallback === 'true' ? html` checked` : html``}>`
    case 'number':
      return html`<input type="number" min="${control.min}" max="${control.max}" value="${fallback}" required ${common}>`
    case 'text':
      return html`<input type="text" maxlength="${control.lengthMax}" value="${fallback}" autocomplete="off" autocapitalize="off" spellcheck="false" ${common}>`
    default:
      return control satisfies never
  }
}

/** A box that is not checked sends nothing by itself; the hidden field says what that means. */
function unchecked(name: string, { kind }: OptionControl): Html {
  return kind === 'switch' ? html`<input type="hidden" name="${name}" value="false">` : html``
}

/** An option with its label; what can be chosen are the words of the API, in every language. */
export function optionControl(field: OptionField): Html {
  const { name, control } = field
  return html`<div class="tool-option ${control.kind}"><label for="${idOf(name)}">${optionText(field).label}</label>${unchecked(name, control)}${controlOf(field)}</div>
`
}

/** What an option means, for the list of all. */
export function optionMeaning(field: OptionField): Html {
  const { label, meaning } = optionText(field)
  return html`<div><dt>${label}</dt><dd id="${aboutOf(field.name)}">${meaning}</dd></div>
`
}
