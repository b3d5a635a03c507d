import { eachChild, isContainer } from '#engine/json-bytes/json-walk.js'
import { markLength } from '#engine/mark-length.js'
import { decodeJwt } from '#engine/tools/encoding/decode-jwt.js'
import { rewriteJson } from '#engine/tools/json/rewrite-json.js'
import { byteChunks } from '#engine/tools/whole-input.js'
import { rewriteXml } from '#engine/tools/xml/rewrite-xml.js'
import { xmlAsJson } from '#engine/tools/xml/xml-as-json.js'
import { json5Tree } from './json5.js'
import { content, type KindContent, made, type PartText, withFormatted } from './kind-content.js'

/** JSON with comments or trailing commas: without them as a tree, and with them as text, as `json-format` writes it. */
export async function readCommentedJson({ bytes }: PartText): Promise<KindContent | null> {
  const text = bytes.subarray(markLength(bytes))
  const tree = await made(rewriteJson(byteChunks(text), { indent: null, comments: 'drop' }))
  if (typeof tree === 'string' || !isContainer(tree[0])) return null
  const layout = { indent: '  ', finalNewline: true, comments: 'keep' } as const
  const formatted = await made(rewriteJson(byteChunks(text), layout))
  return { ...withFormatted('jsonc', formatted, tree), table: 'objects' }
}

/** Lines of JSON as `ndjson-to-json` has them; a table if there are several, all objects and arrays. */
export async function readLines({ bytes }: PartText): Promise<KindContent | null> {
  const tree = await made(rewriteJson(byteChunks(bytes), { indent: null, fromLines: true }))
  if (typeof tree === 'string' || tree.length === 2) return null
  let [lines, containers] = [0, 0]
  eachChild({ bytes: tree }, 0, (start) => {
    lines += 1
    if (isContainer(tree[start])) containers += 1
    return undefined
  })
  return content('ndjson', { tree: () => tree, table: lines > 1 && containers === lines ? 'objects' : null })
}

/** XML as `xml-format` and `xml-to-json` have it; without a tree where JSON cannot have all of it. */
export async function readXml({ bytes }: PartText): Promise<KindContent | null> {
  const formatted = await made(rewriteXml(byteChunks(bytes), { indent: '  ', finalNewline: true }))
  if (typeof formatted === 'string') return null
  const options = { types: 'strings', comments: false, arrays: [], trim: false } as const
  return withFormatted('xml', formatted, await made(xmlAsJson(byteChunks(bytes), options)))
}

/** A token as `jwt-decode` has it, with its times in words. */
export async function readJwt({ bytes }: PartText): Promise<KindContent | null> {
  const tree = await made(decodeJwt(byteChunks(bytes), { times: true, layout: { indent: null } }))
  return typeof tree === 'string' ? null : content('jwt', { tree: () => tree })
}

/** JSON5 as text and as a tree. */
export function readJson5({ text }: PartText): KindContent | null {
  const read = json5Tree(text())
  const tree = read?.tree ?? null
  return read === null ? null : content('json5', { tree: tree && (() => tree), table: tree && 'objects' })
}
