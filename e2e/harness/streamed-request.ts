import { request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'

/** An answer with its body as bytes. */
export interface StreamedAnswer {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: Buffer
}

/**
 * Sends a body as a stream, with its length declared or chunked, and resolves with the answer even when it comes
 * before the body has been sent.
 */
export function streamedRequest(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<StreamedAnswer> {
  return new Promise((resolve, reject) => {
    let answered = false
    const outgoing = httpRequest(url, { method, headers }, (response) => {
      answered = true
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      )
      response.on('error', reject)
    })
    outgoing.on('error', (error) => {
      if (!answered) reject(error)
    })
    const source = Readable.from(body)
    outgoing.on('close', () => source.destroy())
    source.on('error', () => {})
    source.pipe(outgoing)
  })
}
