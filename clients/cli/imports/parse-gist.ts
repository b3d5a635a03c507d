import {
  dataUrl,
  type ImportedItem,
  ImportFormatError,
  isWhole,
  itemOf,
  listIn,
  objectIn,
  type SourceFile,
  textIn,
  textOrEmpty,
} from './imported-item.js'

function fileOf(value: unknown): SourceFile {
  const file = objectIn(value, 'A file of the gist')
  const name = textIn(file.filename, 'The name of a file')
  const language = textOrEmpty(file.language)
  const url = (): string => textIn(file.raw_url, `raw_url of ${name}`)
  if (file.truncated === true) return { name, url: url(), language }
  const content = textIn(file.content, `The content of ${name}`)
  if (file.encoding === 'base64')
    return { name, text: dataUrl(content.replaceAll(/\s/g, ''), textOrEmpty(file.type)), language }
  return isWhole(content, file) ? { name, text: content, language } : { name, url: url(), language }
}

/**
 * A gist as the response to `GET /gists/{id}` of GitHub's API describes it. Files that the response does not have
 * in full, beyond 1 MB or not UTF-8, must be fetched.
 * @throws ImportFormatError
 */
export function parseGist(value: unknown): ImportedItem {
  const gist = objectIn(value, 'The gist')
  const id = textIn(gist.id, 'The id of the gist')
  if (gist.truncated === true)
    throw new ImportFormatError(`Gist ${id} has more than 300 files; clone it with git instead.`)
  const files = Object.values(objectIn(gist.files, 'The files of the gist')).map(fileOf)
  const title = textOrEmpty(gist.description)
  return itemOf({ service: 'gist', id, title, tags: ['gist'], files })
}

/**
 * The ids in a list of gists.
 * @throws ImportFormatError
 */
export function gistIds(value: unknown): readonly string[] {
  return listIn(value, 'The list of gists').map((gist) =>
    textIn(objectIn(gist, 'A gist of the list').id, 'The id of a gist'),
  )
}
