import {
  dataUrl,
  type ImportedItem,
  ImportFormatError,
  isWhole,
  itemOf,
  objectIn,
  type SourceFile,
  textIn,
  textOrEmpty,
} from './imported-item.js'

/** Opengist cuts its list of files here, and says so in its API alone. */
const filesMax = 50

/** Where a file can be fetched whole. */
type RawUrl = (file: string) => string

function fileOf(value: unknown, rawUrl: RawUrl): SourceFile {
  const file = objectIn(value, 'A file of the gist')
  const name = textIn(file.filename, 'The name of a file')
  const language = textOrEmpty(file.language) || textOrEmpty(file.type)
  const { content } = file
  if (typeof content !== 'string' || file.truncated === true) return { name, url: rawUrl(name), language }
  if (file.encoding === 'base64') return { name, text: dataUrl(content, textOrEmpty(file.type)), language }
  return isWhole(content, file) ? { name, text: content, language } : { name, url: rawUrl(name), language }
}

/** The files: a list at the address of a gist, an object in the API. */
function filesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : Object.values(objectIn(value, 'The files of the gist'))
}

/**
 * A gist of Opengist: the response to its address with `.json`, or to `GET /api/v1/gists/{uuid}`.
 * @param server its origin and path, for files that the response has not whole; `null` if they are unknown.
 * @throws ImportFormatError
 */
export function parseOpengist(value: unknown, server: string | null): ImportedItem {
  const gist = objectIn(value, 'The gist')
  const isApi = typeof gist.owner === 'object'
  const uuid = textIn(isApi ? gist.id : gist.uuid, `The ${isApi ? 'id' : 'uuid'} of the gist`)
  const path = isApi ? [Reflect.get(Object(gist.owner), 'username'), gist.slug_url] : [gist.owner, gist.id]
  const rawUrl: RawUrl = (file) => {
    if (server === null)
      throw new ImportFormatError(
        `${file} is not whole in the saved response. Import the gist by its URL instead.`,
      )
    const parts = [...path.map(textOrEmpty), 'raw', 'HEAD', file]
    return [server, ...parts.map(encodeURIComponent)].join('/')
  }
  const sources = filesOf(gist.files)
  if (isApi ? gist.truncated === true : sources.length === filesMax)
    throw new ImportFormatError(
      `Gist ${uuid} may have more than ${filesMax} files; clone it with git instead.`,
    )
  const files = sources.map((file) => fileOf(file, rawUrl))
  const title = textOrEmpty(gist.title) || textOrEmpty(gist.description)
  const topics = Array.isArray(gist.topics) ? gist.topics.map(String) : []
  return itemOf({ service: 'opengist', id: uuid, title, tags: ['opengist', ...topics], files })
}
