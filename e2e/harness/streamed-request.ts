import { request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'

/** A response with its body as bytes. */
export interface StreamedResponse {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: Buffer
}

/**
 * Streams a body, with a declared length or chunked, and resolves with the response even if it comes before
 * the body has been sent.
 */
export function streamedRequest(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<StreamedResponse> {
  return new Promise((resolve, reject) => {
    let responded = false
    const outgoing = httpRequest(url, { method, headers }, (response) => {
      responded = true
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      )
      response.on('error', reject)
    })
    outgoing.on('error', (error) => {
      if (!responded) reject(error)
    })
    const source = Readable.from(body)
    outgoing.on('close', () => source.destroy())
    source.on('error', () => {})
    source.pipe(outgoing)
  })
}
