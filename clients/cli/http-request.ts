import * as http from 'node:http'
import * as https from 'node:https'
import type { ContentSource } from './content-source.js'
import { CliError, exitCodes } from './exit-codes.js'

/** One request. */
export interface HttpRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: ContentSource | string | null
  readonly signal: AbortSignal
  /** How long the server may be silent. */
  readonly silenceMs: number
  readonly onSent?: (bytes: number) => void
}

/** A network failure, after which the same request may be sent again. */
export class NetworkError extends CliError {
  constructor(message: string, cause: unknown) {
    super(message, exitCodes.unavailable, { cause })
  }
}

/** Sends content until the end, or until the server has responded: one that refuses early reads no further. */
async function sendContent(
  request: http.ClientRequest,
  content: ContentSource,
  { onSent }: HttpRequest,
): Promise<void> {
  let isOver = false
  const over = new Promise<void>((resolve) => {
    const end = (): void => {
      isOver = true
      resolve()
    }
    request.once('response', end).once('close', end)
  })
  let sent = 0
  for await (const chunk of content.open()) {
    if (isOver) return
    sent += chunk.length
    const taken = new Promise<void>((resolve) => request.write(chunk, () => resolve()))
    await Promise.race([taken, over])
    onSent?.(chunk.length)
  }
  if (isOver) return
  if (sent !== content.size) throw new CliError('The file became shorter while it was sent.')
  request.end()
}

function describe(error: unknown, url: URL): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason =
    code === 'ECONNREFUSED'
      ? 'nothing listens there'
      : code === 'ENOTFOUND'
        ? 'no such host'
        : code || String(error)
  return `Cannot reach ${url.origin}: ${reason}.`
}

/**
 * Sends a request and resolves with the response once its headers are there, even while the body is still being sent.
 * @throws NetworkError when there is no response.
 */
export function sendRequest(input: HttpRequest): Promise<http.IncomingMessage> {
  const { method, url, headers, body, signal, silenceMs } = input
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body?.size
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method,
      signal,
      headers: { ...headers, ...(bytes === undefined ? {} : { 'Content-Length': String(bytes) }) },
    })
    request.setTimeout(silenceMs, () =>
      request.destroy(new NetworkError(`${url.origin} sent nothing for ${silenceMs / 1_000} s.`, undefined)),
    )
    request.once('response', resolve)
    request.on('error', (error) => {
      if (signal.aborted) reject(new CliError('Interrupted.', exitCodes.interrupted))
      else reject(error instanceof CliError ? error : new NetworkError(describe(error, url), error))
    })
    if (body === null || typeof body === 'string') request.end(body ?? undefined)
    else sendContent(request, body, input).catch((error: Error) => request.destroy(error))
  })
}

/** A small response as text. */
export async function textOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
