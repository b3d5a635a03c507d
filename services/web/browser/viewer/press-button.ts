import { element } from './element.js'

/** A button with a text, or with an icon and an accessible name. */
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
