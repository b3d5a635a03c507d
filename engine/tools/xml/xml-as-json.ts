import { boundedText } from '../whole-input.js'
import { markedXmlAsJson } from './marked-xml-as-json.js'
import { plainXmlAsJson, type XmlAsJsonOptions } from './plain-xml-as-json.js'
import { marksNamespace } from './xml-names.js'
import { XmlReader } from './xml-tokens.js'
import { XmlValues } from './xml-values.js'

/** It is held as a string, with a byte for each element. */
const bytesMax = 32 * 1_048_576

/** Whether json-to-xml wrote this, and more than the elements alone say. */
function hasMarks(xml: string): boolean {
  for (const token of new XmlReader(xml).tokens())
    if (token.kind === 'open' || token.kind === 'empty')
      return new XmlValues(xml)
        .attributesOf(token)
        .some(({ name, value }) => name === 'xmlns:json' && value === marksNamespace)
  return false
}

/** XML as JSON without white space. */
export async function* xmlAsJson(
  input: AsyncIterable<Uint8Array>,
  options: XmlAsJsonOptions,
): AsyncGenerator<Uint8Array> {
  const xml = await boundedText(input, bytesMax)
  yield* hasMarks(xml) ? markedXmlAsJson(xml) : plainXmlAsJson(xml, options)
}
