import type { OptionControl, OptionField } from '#engine/tools/option-fields.js'
import { type Html, html } from '#libs/html/html.js'

/** `final_newline` for people. */
function label(name: string): string {
  const words = name.replaceAll('_', ' ')
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

const idOf = (name: string): string => `option-${name}`
const aboutOf = (name: string): string => `about-${name}`

/** The control of an option; scripts find its default in `data-fallback`. */
function controlOf({ name, fallback, control }: OptionField): Html {
  const common = html`id="${idOf(name)}" name="${name}" data-fallback="${fallback}" aria-describedby="${aboutOf(name)}"`
  switch (control.kind) {
    case 'choice':
      return html`<select ${common}>${control.choices.map((choice) =>
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

/** An option with its label: the words of the API, in every language. */
export function optionControl(field: OptionField): Html {
  const { name, control } = field
  return html`<div class="tool-option ${control.kind}" lang="en"><label for="${idOf(name)}">${label(name)}</label>${unchecked(name, control)}${controlOf(field)}</div>
`
}

/** What an option means, for the list of all. */
export function optionMeaning({ name, description }: OptionField): Html {
  return html`<div><dt>${label(name)}</dt><dd id="${aboutOf(name)}">${description}</dd></div>
`
}
