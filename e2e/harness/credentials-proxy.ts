import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import { pipeline } from 'node:stream'

/** A proxy that signs its callers in, for programs that cannot send credentials. */
export interface CredentialsProxy {
  readonly url: string
  stop(): Promise<void>
}

/**
 * Forwards each request as it is, `Host` and `Origin` included, with more headers.
 * @param port where it listens.
 * @param target the port of the gateway.
 */
export async function startCredentialsProxy(
  port: number,
  target: number,
  headers: Readonly<Record<string, string>>,
): Promise<CredentialsProxy> {
  const added = Object.entries(headers).flat()
  const server = createServer((request, response) => {
    const { method, url: path, rawHeaders } = request
    const options = { host: '127.0.0.1', port: target, headers: [...rawHeaders, ...added] }
    const forwarded = send({ ...options, method, path }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.rawHeaders)
      pipeline(reply, response, () => {})
    })
    forwarded.once('error', (error) => response.destroy(error))
    pipeline(request, forwarded, () => {})
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
