import { utf8Writer } from '#engine/encoding/utf8-of.js'
import { joinBytes } from '#engine/join-bytes.js'
import { ToolInputError } from '#engine/tools/tool-input-error.js'
import { text } from '../../texts/text.js'
import { DocumentError, type Progress } from '../document/document-reader.js'
import { receiveDocument, type WantedDocument } from '../document/receive-document.js'
import type { ChosenOptions } from './compare-options.js'

/** One of two documents that are compared: something of ours, or a file that never leaves the browser. */
export type WantedSide =
  | { readonly kind: 'fetched'; readonly wanted: WantedDocument }
  | { readonly kind: 'file'; readonly file: Blob }

/** The names of the sides, in the order in which they are compared. */
const sideNames = ['compare.before', 'compare.after'] as const

/**
 * The text of a file in UTF-8. Where its encoding is not named, bytes without a byte order mark stay as they are.
 * @throws DocumentError if it is not in the encoding that is named.
 */
function inUtf8(bytes: Uint8Array, encoding: ChosenOptions['encoding']): Uint8Array {
  try {
    const writer = utf8Writer({ encoding, isXml: false })
    const [text, rest] = [writer.take(bytes), writer.end()]
    return rest.length === 0 ? text : joinBytes(text, rest)
  } catch (error) {
    if (!(error instanceof ToolInputError)) throw error
    if (encoding === 'auto') return bytes
    const { line = 1, column = 1 } = error.position ?? {}
    throw new DocumentError('not-comparable', text('compare.notInEncoding', { line, column, encoding }))
  }
}

async function receiveSide(
  fetching: typeof fetch,
  side: WantedSide,
  encoding: ChosenOptions['encoding'],
  onProgress: (progress: Progress) => void,
): Promise<Uint8Array> {
  if (side.kind === 'fetched') return receiveDocument(fetching, side.wanted, onProgress)
  const { file } = side
  const read = async (): Promise<Response> => new Response(file)
  const bytes = await receiveDocument(read, { rawPath: '', headers: {}, sizeBytes: file.size }, onProgress)
  // Text that was pasted is UTF-8, whatever files are.
  return inUtf8(bytes, file instanceof File ? encoding : 'auto')
}

/**
 * Receives both documents in parallel, and reports their progress as one.
 * @throws DocumentError that says which of them cannot be had.
 */
export async function receiveSides(
  fetching: typeof fetch,
  sides: readonly [WantedSide, WantedSide],
  { encoding }: Pick<ChosenOptions, 'encoding'>,
  onProgress: (progress: Progress) => void,
): Promise<readonly [Uint8Array, Uint8Array]> {
  const last: Progress[] = []
  const receive = async (place: 0 | 1): Promise<Uint8Array> => {
    try {
      return await receiveSide(fetching, sides[place], encoding, (progress) => {
        last[place] = progress
        const sum = (name: 'receivedBytes' | 'totalBytes'): number =>
          (last[0]?.[name] ?? 0) + (last[1]?.[name] ?? 0)
        onProgress({
          phase: 'receiving',
          receivedBytes: sum('receivedBytes'),
          totalBytes: sum('totalBytes'),
        })
      })
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      const said = text('compare.sideFailed', { side: text(sideNames[place]), reason: error.message })
      throw new DocumentError(error.code, said)
    }
  }
  return Promise.all([receive(0), receive(1)])
}
