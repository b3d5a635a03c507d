import { CST, type Document, Lexer, type ParseOptions, parseAllDocuments, type SchemaOptions } from 'yaml'
import { positionInText, ToolInputError } from '../tool-input-error.js'
import { boundedText } from '../whole-input.js'

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

function otherVersion(text: string, at: number): ToolInputError {
  const message = 'YAML 1.1 and 1.2 are read here, and this directive names another version.'
  return new ToolInputError('yaml_version', message, positionInText(text, at))
}

/** @throws ToolInputError `yaml_version` for a character that ends a line in YAML 1.1, but not as it is read here. */
function refuseOldBreaks(text: string): void {
  const at = text.search(/[\u0085\u2028\u2029]/)
  if (at === -1) return
  const name = `U+${text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}`
  const message = `${name} ends a line in YAML 1.1, but not in 1.2. Write it as an escape in double quotes.`
  throw new ToolInputError('yaml_version', message, positionInText(text, at))
}

/** Tokens of the lexer that stand for no text. */
const withoutText: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR])

/**
 * Refuses templates of Helm, Jinja and others: `{{` where a value begins, `{%` and `{#`. In quotes, comments and
 * within text they are like other characters.
 * @throws ToolInputError `yaml_template` with the position.
 */
function refuseTemplate(text: string): void {
  if (!/\{[{%#]/.test(text)) return
  let [offset, isText] = [0, false]
  for (const token of new Lexer().lex(text)) {
    if (token === '{' && !isText && /[{%#]/.test(text.charAt(offset + 1))) {
      const sign = text.slice(offset, offset + 2)
      const nested = sign === '{{' ? ' A mapping within a mapping is written "{ {".' : ''
      const message = `This is a template (Helm, Jinja): ${sign} begins no YAML. Render it first, or put it in quotes.${nested}`
      throw new ToolInputError('yaml_template', message, positionInText(text, offset))
    }
    isText = token === CST.SCALAR
    if (!withoutText.has(token)) offset += token.length
  }
}

/**
 * The documents of a text, and the text.
 * @throws ToolInputError as `documentsOf`, or `input_too_large`.
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
 * @throws ToolInputError `yaml_invalid`, `yaml_template` or `yaml_version` with the position, or `yaml_too_deep`.
 */
export function documentsOf(
  text: string,
  options: ParseOptions & SchemaOptions = {},
): readonly Document.Parsed[] {
  // Brackets in strings count as well, but no real document has ten times as many as are allowed.
  if (flowDepth(text) > 10 * yamlDepthMax) throw yamlTooDeep()
  refuseTemplate(text)
  const documents = parsed(text, options)
  for (const { errors, warnings } of documents) {
    const [error] = errors
    const version = warnings.find(({ message }) => message.startsWith('Unsupported YAML version'))
    if (version !== undefined) throw otherVersion(text, version.pos[0])
    if (error === undefined) continue
    // It catches this one itself.
    if (error.message.startsWith('Maximum call stack')) throw yamlTooDeep()
    const message = `${error.message.replace(/\.$/, '')}.`
    throw new ToolInputError('yaml_invalid', message, positionInText(text, error.pos[0]))
  }
  // It looks through the whole text, once.
  if (documents.some(({ directives }) => directives.yaml.version === '1.1')) refuseOldBreaks(text)
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
