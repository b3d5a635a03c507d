// The baseline for a rejection: plain node:http with as many headers and bytes as ours.
import { createServer } from 'node:http'

const body = Buffer.from(JSON.stringify({ detail: 'x'.repeat(280) }))
const headers = Object.fromEntries(Array.from({ length: 14 }, (_, index) => [`X-Header-${index}`, 'a value']))

const server = createServer((_request, response) => {
  response.writeHead(429, {
    ...headers,
    'Content-Type': 'application/problem+json',
    'Content-Length': body.length,
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
process.on('disconnect', () => process.exit())
