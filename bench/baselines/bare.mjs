// The baseline for any Node server: `node:http` sends the same 1 KB to everyone.
import { createServer } from 'node:http'

const body = Buffer.from(
  JSON.stringify({ id: 'x', tool: 'bench', title: 'Small', data: { v: 'x'.repeat(1_000) } }),
)

const server = createServer((_request, response) => {
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
process.on('disconnect', () => process.exit())
