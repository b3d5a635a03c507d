import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A page that breaks every rule for our pages, to prove that violations are detected. */
const page = `<!doctype html><title>Careless</title>
<script>alert(1); window.__hit = 1; fetch('https://evil.example/fetched').catch(() => {})</script>
<object data="x"></object>
<img src="http://evil.example/leak">
<script>missing()</script>`

/** Starts a server of that page on a free loopback port. */
export async function startInsecureServer(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': "object-src 'none'" })
    response.end(page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
