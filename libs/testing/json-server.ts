import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A local server of JSON. */
export interface JsonServer {
  readonly url: string
  /** How many requests it has received. */
  hits(): number
  stop(): Promise<void>
}

/** Starts it on a free port; `serve` returns the body for a path, as JSON or bytes, or a status to respond with. Its last argument is the server's own address. */
export async function startJsonServer(
  serve: (path: string, headers: IncomingHttpHeaders, url: string) => unknown,
): Promise<JsonServer> {
  let hits = 0
  let url = ''
  const server = createServer((request, response) => {
    hits += 1
    response.setHeader('Content-Type', 'application/json')
    const body = serve(request.url ?? '', request.headers, url)
    if (typeof body === 'number') response.statusCode = body
    response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    hits: () => hits,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
