import { commentPattern, skippedLinesMax } from '#engine/csv/line-skipper.js'
import { encodingNames } from '#engine/encoding/encodings.js'
import { type TextName, text } from '../../texts/text.js'
import { element } from '../viewer/element.js'
import { type ChosenOptions, isAnyChosen, parseOptions, readPointers } from './compare-options.js'

/** A field that is sent with the form as this option. */
function field(
  name: keyof ChosenOptions,
  value: string,
  attributes: Readonly<Record<string, string | number>> = {},
): HTMLInputElement {
  const input = element('input', {
    class: 'compare-input',
    attributes: { name, autocomplete: 'off', spellcheck: 'false', ...attributes },
  })
  input.value = value
  return input
}

function labelled(name: TextName, input: HTMLElement, width = ''): HTMLElement {
  return element('label', `compare-field${width}`, text(name), input)
}

function check(label: TextName, name: keyof ChosenOptions, value: string, isChecked: boolean): HTMLElement {
  const box = element('input', { attributes: { type: 'checkbox', name, value } })
  box.checked = isChecked
  return element('label', 'compare-check', box, text(label))
}

function encodingField(chosen: ChosenOptions['encoding']): HTMLElement {
  const options = ['auto', ...encodingNames].map((name) => {
    const shown = name === 'auto' ? text('compare.encodingAuto') : name
    const option = element('option', { attributes: { value: name } }, shown)
    option.selected = name === chosen
    return option
  })
  return element('select', { class: 'compare-input', attributes: { name: 'encoding' } }, ...options)
}

/** The options of a comparison, folded as long as none is chosen. `onChange` gets those that are applied. */
export function optionsForm(
  chosen: ChosenOptions,
  onChange: (options: ChosenOptions) => void,
): HTMLDetailsElement {
  const ignore = element('textarea', {
    class: 'compare-input code',
    attributes: { rows: 2, spellcheck: 'false' },
  })
  ignore.value = chosen.ignore.join('\n')
  const comment = field('comment', chosen.comment, { maxlength: 1 })
  comment.addEventListener('input', () => {
    const isFine = comment.value === '' || commentPattern.test(comment.value)
    comment.setCustomValidity(isFine ? '' : text('compare.commentWrong'))
  })
  const skip = { type: 'number', min: 0, max: skippedLinesMax, step: 1 }
  const form = element(
    'form',
    'compare-form',
    labelled('compare.key', field('key', chosen.key)),
    labelled('compare.ignore', ignore, ' wide'),
    check('compare.byValue', 'numbers', 'value', chosen.numbers === 'value'),
    check('compare.order', 'order', 'true', chosen.order === true),
    check('compare.quotes', 'quotes', 'lenient', chosen.quotes === 'lenient'),
    labelled('compare.comment', comment, ' narrow'),
    labelled('compare.skip', field('skip', String(chosen.skip), skip), ' narrow'),
    labelled('compare.encoding', encodingField(chosen.encoding), ' narrow'),
    element('button', { class: 'compare-apply', attributes: { type: 'submit' } }, text('compare.apply')),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const sent = [...new FormData(form)].map(([name, value]): [string, string] => [
      name,
      String(value).trim(),
    ])
    onChange({ ...parseOptions(new URLSearchParams(sent)), ignore: readPointers(ignore.value) })
  })
  const whole = element('details', 'compare-options', element('summary', '', text('compare.options')), form)
  whole.open = isAnyChosen(chosen)
  return whole
}
