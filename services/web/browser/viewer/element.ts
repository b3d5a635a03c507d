/** What an element is made with. */
export interface ElementParts {
  readonly class?: string
  /** Attributes; one that is `null` is left out. Never the markup or a handler. */
  readonly attributes?: Readonly<Record<string, string | number | null>>
}

/** An element of a class, or of more parts, with children, of which strings are text and nothing else. */
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

/** A button that says what it does, in full to those who cannot see what stands around it. */
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

/** The nearest element around the target of an event that has this attribute, and its value. */
export function attributeAround(event: Event, attribute: string): string | null {
  const around = event.target instanceof Element ? event.target.closest(`[${attribute}]`) : null
  return around?.getAttribute(attribute) ?? null
}
