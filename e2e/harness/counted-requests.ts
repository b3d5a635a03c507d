import { createServer, request } from 'node:http'
import { testPort } from '#libs/testing/test-port.js'

/** A way to a server that counts every request, those of workers and service workers included. */
export interface CountedRequests {
  readonly url: string
  /** Method and path of each request, in order. */
  readonly requests: string[]
  /** The bytes of all responses, as they were sent. */
  bytes(): number
  stop(): Promise<void>
}

/** Forwards requests to a server at this URL. */
export async function countRequests(to: string): Promise<CountedRequests> {
  const requests: string[] = []
  let bytes = 0
  const port = await testPort()
  const server = createServer((incoming, outgoing) => {
    requests.push(`${incoming.method} ${incoming.url}`)
    const { method, headers, url } = incoming
    const forwarded = request(new URL(url ?? '/', to), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders)
      bytes += response.rawHeaders.reduce((sum, { length }) => sum + length + 2, 0)
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    bytes: () => bytes,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
