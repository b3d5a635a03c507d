/** An element with a class and what stands in it; strings become text, never markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  made.className = className
  made.append(...content)
  return made
}

/** A button that says what it does, or shows a sign and is named by its label. */
export function button(label: string, onPress: () => void, sign?: string): HTMLButtonElement {
  const made = element('button', 'viewer-button', sign ?? label)
  made.type = 'button'
  if (sign !== undefined) {
    made.ariaLabel = label
    made.title = label
  }
  made.addEventListener('click', onPress)
  return made
}
