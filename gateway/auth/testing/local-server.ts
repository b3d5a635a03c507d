import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'

export interface LocalServer {
  readonly url: string
  /** The number of requests so far. */
  hits(): number
  stop(): Promise<void>
}

/** Starts an HTTP server on a free loopback port. */
export async function startLocalServer(listener: RequestListener): Promise<LocalServer> {
  let hits = 0
  const server = createServer((request, response) => {
    hits++
    listener(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    hits: () => hits,
    async stop() {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
}

/** Starts an issuer with a valid discovery document; `serveKeys` serves the key set. */
export async function startLocalIssuer(serveKeys: RequestListener): Promise<LocalServer> {
  const issuer = await startLocalServer((request, response) => {
    if (request.url === '/keys') return serveKeys(request, response)
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/keys` }))
  })
  return issuer
}
