import { element } from './element.js'

/** A button that says what it does, or shows a sign and is named by its label. */
export function pressButton(label: string, onPress: () => void, sign?: string): HTMLButtonElement {
  const named = sign === undefined ? {} : { 'aria-label': label, title: label }
  const made = element(
    'button',
    { class: 'viewer-button', attributes: { type: 'button', ...named } },
    sign ?? label,
  )
  made.addEventListener('click', onPress)
  return made
}
