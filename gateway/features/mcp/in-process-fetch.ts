import { request as httpRequest, type IncomingMessage } from 'node:http'
import { type Duplex, duplexPair, Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { asClient } from '../../http/connections.js'

/** Statuses whose responses have no body. */
const bodyless: ReadonlySet<number> = new Set([204, 304])

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  return headers
}

/** A connection within this process; to the server, it comes from this client. */
function openConnection(connect: (connection: Duplex) => void, clientAddress: string): Duplex {
  const [near, far] = duplexPair()
  near.once('close', () => far.destroy())
  far.once('close', () => near.destroy())
  far.on('error', () => {})
  connect(asClient(far, clientAddress))
  return near
}

/**
 * A `fetch` to this process's own HTTP server: each request passes all pipeline stages, but no socket. A body is bytes
 * or a stream; the response must be read or cancelled.
 * @param connect `FeatureDependencies.connect`.
 * @param clientAddress the client IP, as rate limits count it, that the requests come from.
 * @throws TypeError with a cause if the connection breaks, as `fetch` does.
 */
export function createInProcessFetch(
  connect: (connection: Duplex) => void,
  clientAddress: string,
): typeof fetch {
  return (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const headers = new Headers(init.headers)
    headers.set('Host', url.host)
    headers.set('Connection', 'close')
    const { body, signal } = init
    if (body instanceof Uint8Array) headers.set('Content-Length', String(body.length))
    return new Promise((resolve, reject) => {
      const sent = httpRequest({
        createConnection: () => openConnection(connect, clientAddress),
        method: init.method ?? 'GET',
        path: url.pathname + url.search,
        headers: Object.fromEntries(headers),
        ...(signal == null ? {} : { signal }),
      })
      sent.once('response', (received) => {
        const status = received.statusCode ?? 0
        const stream = bodyless.has(status) ? null : (Readable.toWeb(received) as globalThis.ReadableStream)
        resolve(new Response(stream, { status, headers: headersOf(received) }))
      })
      sent.once('error', (cause) => reject(new TypeError('the request failed', { cause })))
      if (body instanceof ReadableStream) {
        const source = Readable.fromWeb(body)
        source.once('error', (error) => sent.destroy(error))
        source.pipe(sent)
      } else sent.end(body instanceof Uint8Array ? body : undefined)
    })
  }
}
