/** Safe markup, created only by `html`. */
export interface Html {
  readonly markup: string
}

type Value = string | number | Html | readonly Html[]

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\u2028': '&#8232;',
  '\u2029': '&#8233;',
}

/** Text without markup, for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"'\u2028\u2029]/g, (character) => references[character] ?? '')
    .replaceAll('\u0000', '\ufffd')
}

function render(value: Value): string {
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}

/** Markup from a template whose values are escaped, unless they are markup themselves. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const markup = strings.reduce((whole, part, index) => {
    const value = values[index]
    return whole + part + (value === undefined ? '' : render(value))
  }, '')
  return { markup }
}
