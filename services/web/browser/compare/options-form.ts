import { text } from '../../texts/text.js'
import { element } from '../viewer/element.js'
import { type ChosenOptions, readPointers } from './compare-options.js'

function labelled(label: string, field: HTMLElement, isWide = false): HTMLElement {
  return element('label', isWide ? 'compare-field wide' : 'compare-field', label, field)
}

function check(
  label: string,
  isChecked: boolean,
): { readonly label: HTMLElement; readonly box: HTMLInputElement } {
  const box = element('input', { attributes: { type: 'checkbox' } })
  box.checked = isChecked
  return { label: element('label', 'compare-check', box, label), box }
}

/** The options of a comparison, folded as long as none is chosen. `onChange` gets those that are applied. */
export function optionsForm(chosen: ChosenOptions, onChange: (options: ChosenOptions) => void): HTMLElement {
  const key = element('input', {
    class: 'compare-input',
    attributes: { autocomplete: 'off', spellcheck: 'false' },
  })
  key.value = chosen.key
  const byValue = check(text('compare.byValue'), chosen.numbers === 'value')
  const order = check(text('compare.order'), chosen.order === true)
  const ignore = element('textarea', {
    class: 'compare-input code',
    attributes: { rows: 2, spellcheck: 'false' },
  })
  ignore.value = chosen.ignore.join('\n')
  const apply = element(
    'button',
    { class: 'compare-apply', attributes: { type: 'submit' } },
    text('compare.apply'),
  )
  const form = element(
    'form',
    'compare-form',
    labelled(text('compare.key'), key),
    labelled(text('compare.ignore'), ignore),
    byValue.label,
    order.label,
    apply,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    onChange({
      key: key.value.trim(),
      numbers: byValue.box.checked ? 'value' : 'exact',
      order: order.box.checked,
      ignore: readPointers(ignore.value),
    })
  })
  const whole = element('details', 'compare-options', element('summary', '', text('compare.options')), form)
  whole.open =
    chosen.key !== '' || chosen.numbers === 'value' || chosen.order === true || chosen.ignore.length > 0
  return whole
}
