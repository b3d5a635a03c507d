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

/** A snippet of an export, not yet read. */
export interface ByteStashEntry {
  readonly from: string
  /** @throws ImportFormatError */
  read(): ImportedItem
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

function titleOf(snippet: unknown): string {
  return textOrEmpty(Reflect.get(Object(snippet), 'title'))
}

/** Tells snippets of the same title apart. */
function contentKey(snippet: unknown): string {
  const fragments: unknown = Reflect.get(Object(snippet), 'fragments')
  const texts = Array.isArray(fragments)
    ? fragments.map((one) => ['file_name', 'code'].map((name) => textOrEmpty(Reflect.get(Object(one), name))))
    : []
  return JSON.stringify([titleOf(snippet), ...texts])
}

function ownId(snippet: unknown): string | null {
  const id: unknown = Reflect.get(Object(snippet), 'id')
  return typeof id === 'number' || (typeof id === 'string' && id !== '') ? String(id) : null
}

/**
 * The ids of all snippets. Older exports have none: then a title that no other snippet has identifies it, so that a
 * change replaces it; otherwise its content does, with a number if that is repeated, too.
 */
function idsOf(snippets: readonly unknown[]): readonly string[] {
  const titles = new Map<string, number>()
  for (const snippet of snippets)
    if (ownId(snippet) === null) titles.set(titleOf(snippet), (titles.get(titleOf(snippet)) ?? 0) + 1)
  const seen = new Map<string, number>()
  return snippets.map((snippet) => {
    const id = ownId(snippet)
    if (id !== null) return id
    if (titles.get(titleOf(snippet)) === 1) return digest(titleOf(snippet))
    const ofContent = digest(contentKey(snippet))
    const number = (seen.get(ofContent) ?? 0) + 1
    seen.set(ofContent, number)
    return number === 1 ? ofContent : `${ofContent}-${number}`
  })
}

function snippetOf(value: unknown, id: string): ImportedItem {
  const snippet = objectIn(value, 'A snippet')
  const title = textIn(snippet.title, 'The title of a snippet')
  const fragments = listIn(snippet.fragments, `The fragments of ${title}`)
    .map(fragmentOf)
    .toSorted((one, other) => one.position - other.position)
  const categories = Array.isArray(snippet.categories) ? snippet.categories.map(String) : []
  const description = textOrEmpty(snippet.description)
  const files = fragments.map(({ file }) => file)
  return itemOf({
    ...{ service: 'bytestash', id, title, tags: categories },
    files:
      description === '' ? files : [...files, { name: 'description.md', text: description, language: '' }],
  })
}

/** The snippets of an export, or of a response of the API: a list, a page `{data, pagination}`, or one snippet. */
function snippetsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  const whole = objectIn(value, 'The export')
  const { version } = whole
  if (typeof version === 'string' && !/^1(\.|$)/.test(version))
    throw new ImportFormatError(`This is an export of version ${version}; known are those of 1.`)
  if (Array.isArray(whole.fragments)) return [whole]
  return listIn(whole.pagination === undefined ? whole.snippets : whole.data, 'snippets')
}

/**
 * An export of ByteStash: its settings write `{version, exported_at, snippets}`. Or a response of its API.
 * @throws ImportFormatError
 */
export function parseByteStash(value: unknown): readonly ByteStashEntry[] {
  const snippets = snippetsIn(value)
  const ids = idsOf(snippets)
  return snippets.map((snippet, index) => ({
    from: titleOf(snippet) || `snippet ${index + 1}`,
    read: () => snippetOf(snippet, ids[index] ?? ''),
  }))
}
