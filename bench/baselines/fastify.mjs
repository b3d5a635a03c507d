// Stands for the fastest of the usual servers on Node: Fastify with its rate limit and its log, which sends shares from
// memory with the headers that a cached share needs. With REDIS_URL, its limit is counted there.
import { createHash } from 'node:crypto'
import rateLimit from '@fastify/rate-limit'
import fastify from 'fastify'
import { Redis } from 'ioredis'

const shares = new Map()
for (let index = 0; index < 100; index += 1) {
  const id = `share-${String(index).padStart(2, '0')}`
  const body = JSON.stringify({ id, tool: 'bench', title: 'Small', data: { v: 'x'.repeat(1_000) } })
  shares.set(id, { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` })
}

// The log is written as in production; the bench discards what it says.
const app = fastify({ logger: { level: 'info', file: '/dev/null' }, trustProxy: '127.0.0.1' })
const { REDIS_URL } = process.env
const redis = REDIS_URL === undefined ? undefined : new Redis(REDIS_URL)
await app.register(rateLimit, { max: 1_000_000_000, timeWindow: '1 minute', redis })

app.get('/api/shares/:id', (request, reply) => {
  const share = shares.get(request.params.id)
  if (share === undefined) return reply.code(404).send({ error: 'not found' })
  reply.header('ETag', share.etag).header('Cache-Control', 'public, max-age=2')
  if (request.headers['if-none-match'] === share.etag) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(share.body)
})

await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ port: app.server.address().port })
process.on('disconnect', () => process.exit())
