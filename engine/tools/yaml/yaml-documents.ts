import { type Document, type ParseOptions, parseAllDocuments, type SchemaOptions } from 'yaml'
import { boundedText } from '../bounded-text.js'
import { positionInText } from '../text-position.js'
import { ToolInputError } from '../tool.js'

/** The size of an input at most: the library's tree takes some hundred bytes for each. */
export const yamlBytesMax = 4 * 1_048_576

/** As deep as collections may be nested, here as in JSON. */
export const yamlDepthMax = 512

/** YAML that is nested too deep. */
export function yamlTooDeep(): ToolInputError {
  return new ToolInputError('yaml_too_deep', `Collections are nested more than ${yamlDepthMax} deep.`)
}

/** Flow collections that are open at once; the library's time grows with the square of their depth. */
function flowDepth(text: string): number {
  let [depth, most] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === 0x5b || unit === 0x7b) most = Math.max(most, ++depth)
    else if (unit === 0x5d || unit === 0x7d) depth = Math.max(0, depth - 1)
  }
  return most
}

/**
 * The documents of a text, and the text.
 * @throws ToolInputError `yaml_invalid` with the position, `yaml_too_deep` or `input_too_large`.
 */
export async function yamlDocuments(
  input: AsyncIterable<Uint8Array>,
  options: ParseOptions & SchemaOptions = {},
): Promise<{ readonly documents: readonly Document.Parsed[]; readonly text: string }> {
  const text = await boundedText(input, yamlBytesMax)
  return { documents: documentsOf(text, options), text }
}

/**
 * The documents of a text.
 * @throws ToolInputError `yaml_invalid` with the position, or `yaml_too_deep`.
 */
export function documentsOf(
  text: string,
  options: ParseOptions & SchemaOptions = {},
): readonly Document.Parsed[] {
  // Brackets in strings count as well, but no real document has ten times as many as are allowed.
  if (flowDepth(text) > 10 * yamlDepthMax) throw yamlTooDeep()
  const documents = parsed(text, options)
  for (const { errors } of documents) {
    const [error] = errors
    if (error === undefined) continue
    // It catches this one itself.
    if (error.message.startsWith('Maximum call stack')) throw yamlTooDeep()
    const message = `${error.message.replace(/\.$/, '')}.`
    throw new ToolInputError('yaml_invalid', message, positionInText(text, error.pos[0]))
  }
  return documents
}

function parsed(text: string, options: ParseOptions & SchemaOptions): readonly Document.Parsed[] {
  try {
    const documents = parseAllDocuments(text, {
      ...options,
      // Its own check compares every key with every other.
      uniqueKeys: false,
      logLevel: 'silent',
      prettyErrors: false,
    })
    return Array.isArray(documents) ? documents : []
  } catch (error) {
    if (error instanceof RangeError) throw yamlTooDeep()
    throw error
  }
}
