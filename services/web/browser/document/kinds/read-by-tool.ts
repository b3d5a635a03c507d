import { markLength } from '#engine/mark-length.js'
import { ToolInputError } from '#engine/tools/tool.js'
import { byteChunks, wholeBytes } from '#engine/tools/whole-input.js'
import { isContainer } from '../json/structure.js'
import type { Kind } from './kind.js'
import { content, type KindContent, type PartText } from './kind-content.js'

/** What a tool makes of a text, or the code of its refusal. */
async function made(output: AsyncIterable<Uint8Array>): Promise<Uint8Array | string> {
  try {
    return await wholeBytes(output)
  } catch (error) {
    if (error instanceof ToolInputError) return error.code
    throw error
  }
}

/** A text formatted by a tool, with its tree if it has one. */
function withFormatted(
  kind: Kind,
  formatted: Uint8Array | string,
  tree: Uint8Array | string | null = null,
): KindContent {
  return content(kind, {
    formatted: typeof formatted === 'string' ? null : () => formatted,
    tree: tree === null || typeof tree === 'string' ? null : () => tree,
  })
}

/** JSON with comments or trailing commas: without them as a tree, and with them as text, as `json-format` writes it. */
export async function readCommentedJson({ bytes }: PartText): Promise<KindContent | null> {
  const { rewriteJson } = await import('#engine/tools/json/rewrite-json.js')
  const text = bytes.subarray(markLength(bytes))
  const tree = await made(rewriteJson(byteChunks(text), { indent: null, comments: 'drop' }))
  if (typeof tree === 'string' || !isContainer(tree[0])) return null
  const layout = { indent: '  ', finalNewline: true, comments: 'keep' } as const
  const formatted = await made(rewriteJson(byteChunks(text), layout))
  return { ...withFormatted('jsonc', formatted, tree), table: 'objects' }
}

/** XML as `xml-format` and `xml-to-json` have it; without a tree where JSON cannot have all of it. */
export async function readXml({ bytes }: PartText): Promise<KindContent | null> {
  const { rewriteXml } = await import('#engine/tools/xml/rewrite-xml.js')
  const { xmlAsJson } = await import('#engine/tools/xml/xml-as-json.js')
  const formatted = await made(rewriteXml(byteChunks(bytes), { indent: '  ', finalNewline: true }))
  if (typeof formatted === 'string') return null
  const options = { types: 'strings', comments: false, arrays: [], trim: false } as const
  return withFormatted('xml', formatted, await made(xmlAsJson(byteChunks(bytes), options)))
}

/** Why a text is not YAML at all; for other reasons, it has no tree. */
const noYaml = new Set(['yaml_invalid', 'yaml_template', 'yaml_version', 'yaml_too_deep'])

/** YAML as `yaml-to-json` has it with its tags kept; several documents are an array. */
export async function readYaml({ bytes }: PartText): Promise<KindContent | null> {
  const { yamlAsJson } = await import('#engine/tools/yaml/yaml-as-json.js')
  const treeOf = (documents: 'one' | 'array') => {
    const options = { documents, duplicate_keys: 'keep', merge: 'keep', tags: 'keep' } as const
    return made(yamlAsJson(byteChunks(bytes), options))
  }
  const one = await treeOf('one')
  const tree = one === 'yaml_documents' ? await treeOf('array') : one
  if (typeof tree === 'string') return noYaml.has(tree) ? null : content('yaml', {})
  return content('yaml', { tree: () => tree })
}

/** A token as `jwt-decode` has it, with its times in words. */
export async function readJwt({ bytes }: PartText): Promise<KindContent | null> {
  const { decodeJwt } = await import('#engine/tools/encoding/decode-jwt.js')
  const tree = await made(decodeJwt(byteChunks(bytes), { times: true, layout: { indent: null } }))
  return typeof tree === 'string' ? null : content('jwt', { tree: () => tree })
}

/** SQL as `sql-format` has it in the first of the widespread dialects in which it formats all of it. */
export async function readSql({ bytes }: PartText): Promise<KindContent> {
  const { formatSql } = await import('#engine/tools/sql/format-sql.js')
  for (const dialect of ['sql', 'postgresql', 'mysql', 'transactsql'] as const) {
    let isWhole = true
    const onNote = (): void => {
      isWhole = false
    }
    const options = { dialect, indent: '2', keyword_case: 'preserve' } as const
    const formatted = await made(formatSql(byteChunks(bytes), options, onNote))
    if (isWhole && typeof formatted !== 'string') return withFormatted('sql', formatted)
  }
  return content('sql', {})
}
