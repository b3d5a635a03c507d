import { type EncodingName, encodingNames } from '#engine/encoding/encodings.js'
import type { OptionValues } from './option-values.js'

const codes = new Set(['not_utf8', 'not_in_encoding', 'encoding_unclear'])

/**
 * Shows the choice of an encoding where the input needs one, or has one: most input is UTF-8.
 * @param code why the input was refused; `null` if it was not.
 */
export function offerEncoding(code: string | null): void {
  const field = document.querySelector<HTMLSelectElement>('#option-encoding[data-fallback="auto"]')
  if (field === null) return
  const isNeeded = (code !== null && codes.has(code)) || field.value !== 'auto'
  if (field.parentElement !== null) field.parentElement.hidden = !isNeeded
}

/** An option of the same name says how a hash is written. */
function encodingIn([name, value]: OptionValues[number]): EncodingName | null {
  return name === 'encoding' ? (encodingNames.find((known) => known === value) ?? null) : null
}

/** The encoding of the input that is chosen. */
export function chosenEncoding(options: OptionValues): 'auto' | EncodingName {
  return options.map(encodingIn).find((encoding) => encoding !== null) ?? 'auto'
}

/** The options without the encoding of the input, which is for files: text from the page is always UTF-8. */
export function optionsForText(options: OptionValues): OptionValues {
  return options.filter((option) => encodingIn(option) === null)
}
