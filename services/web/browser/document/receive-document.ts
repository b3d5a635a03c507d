import { GrowingBytes } from '#engine/tools/whole-input.js'
import { text } from '../../texts/text.js'
import { DocumentError, type Progress } from './document-reader.js'

/** What to request, and its expected size. */
export interface WantedDocument {
  readonly rawPath: string
  readonly headers: Readonly<Record<string, string>>
  readonly sizeBytes: number
}

/** A document may be larger than announced, within limits. */
const sizeBytesMax = 1_073_741_824

const progressIntervalMs = 50

function codeOf(status: number): Exclude<DocumentError['code'], 'not-comparable'> {
  if (status === 410) return 'gone'
  if (status === 404) return 'not-found'
  return status === 401 || status === 403 || status === 429 ? 'refused' : 'network'
}

/** The `detail` of the service's problem response. */
async function detailOf(response: Response): Promise<string | null> {
  try {
    const problem: unknown = await response.json()
    if (typeof problem !== 'object' || problem === null || !('detail' in problem)) return null
    return typeof problem.detail === 'string' ? problem.detail : null
  } catch {
    return null
  }
}

async function fetchData(fetching: typeof fetch, { rawPath, headers }: WantedDocument): Promise<Response> {
  const response = await fetching(rawPath, { headers }).catch(() => {
    throw new DocumentError('network', text('document.network'))
  })
  if (response.ok) return response
  const code = codeOf(response.status)
  throw new DocumentError(code, (await detailOf(response)) ?? text(`document.${code}`))
}

/** As many bytes as the response announces, or else as many as expected. */
function expectedBytes(response: Response, sizeBytes: number): number {
  const length = Number(response.headers.get('Content-Length') ?? Number.NaN)
  const isLengthKnown =
    Number.isSafeInteger(length) && length > 0 && !response.headers.has('Content-Encoding')
  return Math.min(isLengthKnown ? length : sizeBytes, sizeBytesMax)
}

/**
 * Downloads a document into one buffer, and reports progress at most every 50 ms.
 * @throws DocumentError when the download fails.
 */
export async function receiveDocument(
  fetching: typeof fetch,
  wanted: WantedDocument,
  onProgress: (progress: Progress) => void,
): Promise<Uint8Array> {
  const response = await fetchData(fetching, wanted)
  const expected = expectedBytes(response, wanted.sizeBytes)
  const gathered = new GrowingBytes(expected)
  let reportedAt = 0
  const report = (phase: Progress['phase']): void => {
    const receivedBytes = gathered.length
    onProgress({ phase, receivedBytes, totalBytes: Math.max(expected, receivedBytes) })
  }
  try {
    const reader = response.body?.getReader()
    for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
      if (gathered.length + piece.value.length > sizeBytesMax)
        throw new DocumentError('broken', text('document.broken'))
      gathered.append(piece.value)
      const now = performance.now()
      if (now - reportedAt < progressIntervalMs) continue
      reportedAt = now
      report('receiving')
    }
  } catch (error) {
    throw error instanceof DocumentError ? error : new DocumentError('network', text('document.network'))
  }
  report('indexing')
  return gathered.whole()
}
