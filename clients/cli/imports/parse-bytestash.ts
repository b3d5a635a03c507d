import { createHash } from 'node:crypto'
import {
  type ImportedItem,
  ImportFormatError,
  itemOf,
  listIn,
  objectIn,
  type SourceFile,
  textIn,
  textOrEmpty,
} from './imported-item.js'

interface Fragment {
  readonly file: SourceFile
  readonly position: number
}

function fragmentOf(value: unknown, index: number): Fragment {
  const fragment = objectIn(value, 'A fragment')
  const name = textOrEmpty(fragment.file_name) || `fragment-${index + 1}`
  const text = textIn(fragment.code, `The code of ${name}`)
  const position = typeof fragment.position === 'number' ? fragment.position : index
  return { file: { name, text, language: textOrEmpty(fragment.language) }, position }
}

/** Older exports have no ids; then the title tells one snippet from another. */
function idOf(id: unknown, title: string): string {
  if (typeof id === 'number' || (typeof id === 'string' && id !== '')) return String(id)
  return createHash('sha256').update(title).digest('hex').slice(0, 16)
}

function snippetOf(value: unknown): ImportedItem {
  const snippet = objectIn(value, 'A snippet')
  const title = textIn(snippet.title, 'The title of a snippet')
  const fragments = listIn(snippet.fragments, `The fragments of ${title}`)
    .map(fragmentOf)
    .toSorted((one, other) => one.position - other.position)
  const categories = Array.isArray(snippet.categories) ? snippet.categories.map(String) : []
  const description = textOrEmpty(snippet.description)
  const files = fragments.map(({ file }) => file)
  return itemOf({
    ...{ service: 'bytestash', id: idOf(snippet.id, title), title, tags: categories },
    files:
      description === '' ? files : [...files, { name: 'description.md', text: description, language: '' }],
  })
}

/**
 * An export of ByteStash: its settings write `{version, exported_at, snippets}`, its API a list of snippets.
 * @throws ImportFormatError
 */
export function parseByteStash(value: unknown): readonly ImportedItem[] {
  if (Array.isArray(value)) return value.map(snippetOf)
  const whole = objectIn(value, 'The export')
  if (typeof whole.version === 'string' && !/^1(\.|$)/.test(whole.version))
    throw new ImportFormatError(`This is an export of version ${whole.version}; known are those of 1.`)
  return listIn(whole.snippets, 'snippets').map(snippetOf)
}
