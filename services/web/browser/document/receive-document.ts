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

/** Collects chunks in one buffer that grows when needed. */
function gatheredBytes(expected: number): {
  add(piece: Uint8Array): void
  size(): number
  whole(): Uint8Array
} {
  let room = new Uint8Array(expected)
  let size = 0
  return {
    add(piece) {
      const needed = size + piece.length
      if (needed > sizeBytesMax) throw new DocumentError('broken', text('document.broken'))
      if (needed > room.length) {
        const larger = new Uint8Array(Math.max(needed, Math.ceil(room.length * 1.5)))
        larger.set(room.subarray(0, size))
        room = larger
      }
      room.set(piece, size)
      size = needed
    },
    size: () => size,
    whole: () => room.subarray(0, size),
  }
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
  const gathered = gatheredBytes(expected)
  let reportedAt = 0
  const report = (phase: Progress['phase']): void => {
    const receivedBytes = gathered.size()
    onProgress({ phase, receivedBytes, totalBytes: Math.max(expected, receivedBytes) })
  }
  try {
    const reader = response.body?.getReader()
    for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
      gathered.add(piece.value)
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
