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

/** Where a file can be fetched whole. */
type RawUrl = (file: string) => string

function fileOf(value: unknown, rawUrl: RawUrl): SourceFile {
  const file = objectIn(value, 'A file of the gist')
  const name = textIn(file.filename, 'The name of a file')
  const language = textOrEmpty(file.type)
  if (file.truncated === true || typeof file.content !== 'string')
    return { name, url: rawUrl(name), language }
  return { name, text: file.content, language }
}

/**
 * A gist of Opengist: what its address with `.json` answers, or `GET /api/v1/gists/{uuid}`.
 * @param server its origin and path, for files that the answer cuts; `null` if they are unknown.
 * @throws ImportFormatError
 */
export function parseOpengist(value: unknown, server: string | null): ImportedItem {
  const gist = objectIn(value, 'The gist')
  const uuid = textIn(gist.uuid, 'The uuid of the gist')
  const owner = typeof gist.owner === 'string' ? gist.owner : null
  const [user, id] = [encodeURIComponent(owner ?? ''), encodeURIComponent(textOrEmpty(gist.id))]
  const rawUrl: RawUrl = (file) => {
    if (server === null)
      throw new ImportFormatError(`${file} is cut in the saved response. Import the gist by its URL instead.`)
    return owner === null
      ? `${server}/api/v1/gists/${encodeURIComponent(uuid)}/files/${encodeURIComponent(file)}/raw`
      : `${server}/${user}/${id}/raw/HEAD/${encodeURIComponent(file)}`
  }
  const files = listIn(gist.files, 'The files of the gist').map((file) => fileOf(file, rawUrl))
  const title = textOrEmpty(gist.title) || textOrEmpty(gist.description)
  const topics = Array.isArray(gist.topics) ? gist.topics.map(String) : []
  return itemOf({ service: 'opengist', id: uuid, title, tags: ['opengist', ...topics], files })
}
