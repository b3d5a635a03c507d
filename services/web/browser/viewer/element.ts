export interface ElementParts {
  readonly class?: string
  /** Attributes; `null` leaves one out. Never markup or event handlers. */
  readonly attributes?: Readonly<Record<string, string | number | null>>
}

/** An element with a class, or more, and children; strings become text nodes. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  parts: ElementParts | string,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  const { class: className, attributes = {} } = typeof parts === 'string' ? { class: parts } : parts
  if (className !== undefined) made.className = className
  for (const [attribute, value] of Object.entries(attributes))
    if (value !== null) made.setAttribute(attribute, String(value))
  made.append(...children)
  return made
}

/** A button with a full accessible name for those who cannot see its context. */
export function button(label: string, fullLabel: string, action: string): HTMLButtonElement {
  return element(
    'button',
    {
      class: 'small-button',
      attributes: { type: 'button', 'aria-label': fullLabel, 'data-action': action },
    },
    label,
  )
}

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

/** The closest element around an event's target with this attribute, and its value. */
export function attributeAround(event: Event, attribute: string): string | null {
  const around = event.target instanceof Element ? event.target.closest(`[${attribute}]`) : null
  return around?.getAttribute(attribute) ?? null
}

/** Marks a change that a contract does not allow; nothing for others. */
export function breaksMark(word: string | undefined): readonly HTMLElement[] {
  return word === undefined ? [] : [element('span', 'compare-mark', word)]
}
