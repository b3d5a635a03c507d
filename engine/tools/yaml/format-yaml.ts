import { CST, isAlias, isMap, isNode, isPair, isScalar, isSeq, Lexer, type ParsedNode, Parser } from 'yaml'
import { ToolInputError } from '../tool-input-error.js'
import { boundedText, textChunks } from '../whole-input.js'
import { documentsOf, yamlBytesMax, yamlDepthMax, yamlTooDeep } from './yaml-documents.js'
import { YamlLayout, type YamlStyle } from './yaml-layout.js'

/** The meaning of a node, regardless of white space: a line for each node. */
function* said(node: unknown, depth = 0): Generator<string> {
  if (depth > yamlDepthMax) throw yamlTooDeep()
  const { tag = '', anchor = '' } = isNode(node) ? (node as ParsedNode & { anchor?: string }) : {}
  if (isScalar(node)) yield JSON.stringify([tag, anchor, node.type ?? '', node.value])
  else if (isAlias(node)) yield `*${node.source}`
  else if (isMap(node) || isSeq(node)) {
    yield `${isMap(node) ? '{' : '['}${tag} ${anchor} ${node.flow === true}`
    for (const item of node.items) yield* said(item, depth + 1)
    yield '.'
  } else if (isPair(node)) {
    yield ':'
    yield* said(node.key, depth + 1)
    yield* said(node.value, depth + 1)
  } else yield ''
}

/** All that a text says, comments included. */
function essence(text: string): string {
  const lines: string[] = []
  let isText = false
  // Without a schema every scalar is its text.
  for (const document of documentsOf(text, { schema: 'failsafe', keepSourceTokens: false })) {
    lines.push(`--- ${document.directives?.docStart === true} ${document.directives?.docEnd === true}`)
    for (const line of said(document.contents)) lines.push(line)
  }
  for (const token of new Lexer().lex(text)) {
    if (!isText && /^[#%]/.test(token)) lines.push(token.trimEnd())
    isText = token === CST.SCALAR
  }
  return lines.join('\n')
}

/**
 * Writes YAML with other white space. The result is compared with the input.
 * @throws ToolInputError as `documentsOf`; `input_too_large` if the result is, too, `yaml_not_formatted` if it would say
 *   anything else.
 */
export async function* formatYaml(
  input: AsyncIterable<Uint8Array>,
  style: YamlStyle,
): AsyncGenerator<Uint8Array> {
  const text = await boundedText(input, yamlBytesMax)
  const before = essence(text)
  const layout = new YamlLayout(style)
  let out = ''
  for (const token of new Parser().parse(text)) {
    layout.token(token)
    out += layout.lines.take()
  }
  layout.lines.end()
  out += layout.lines.take()
  if (!isKept(before, out))
    throw new ToolInputError(
      'yaml_not_formatted',
      'Other white space would change what this text says, so it is left as it is.',
    )
  yield* textChunks(out)
}

function isKept(before: string, out: string): boolean {
  try {
    return essence(out) === before
  } catch (error) {
    if (error instanceof ToolInputError) return false
    throw error
  }
}
