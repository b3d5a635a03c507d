import { element } from '../viewer/element.js'

/** A button of a page that does this, with the look of a class. */
export function pageButton(look: string, label: string, onPress: () => void): HTMLButtonElement {
  const made = element('button', { class: look, attributes: { type: 'button' } }, label)
  made.addEventListener('click', onPress)
  return made
}
