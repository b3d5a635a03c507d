import { type EncodingName, encodingNames } from '#engine/encoding/encodings.js'
import type { OptionValues } from './option-values.js'

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
