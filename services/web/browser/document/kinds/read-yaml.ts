import { byteChunks } from '#engine/tools/whole-input.js'
import { yamlAsJson } from '#engine/tools/yaml/yaml-as-json.js'
import { content, type KindContent, made, type PartText } from './kind-content.js'

/** Why a text is not YAML at all; for other reasons, it has no tree. */
const noYaml = new Set(['yaml_invalid', 'yaml_template', 'yaml_version', 'yaml_too_deep'])

/** YAML as `yaml-to-json` has it with its tags kept; several documents are an array. */
export async function readYaml({ bytes }: PartText): Promise<KindContent | null> {
  const treeOf = (documents: 'one' | 'array') => {
    const options = { documents, duplicate_keys: 'keep', merge: 'keep', tags: 'keep' } as const
    return made(yamlAsJson(byteChunks(bytes), options))
  }
  const one = await treeOf('one')
  const tree = one === 'yaml_documents' ? await treeOf('array') : one
  if (typeof tree === 'string') return noYaml.has(tree) ? null : content('yaml', {})
  return content('yaml', { tree: () => tree })
}
