import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { autocannonLoad } from './autocannon-load.js'
import { loadTool, runLoad } from './load.js'
import type { LoadTool } from './load-order.js'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function serve(textFor: (request: IncomingMessage) => string): Promise<string> {
  const started = createServer((request, response) => response.end(textFor(request)))
  server = started
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`
}

const expected = { status: 200, bytes: 5, holds: 'righ' }

/** Holds for every load generator, whichever is installed. */
function describeLoad(tool: LoadTool): void {
  const order = (baseUrl: string) => ({
    baseUrl,
    connections: 4,
    seconds: 1,
    requests: [
      {
        method: 'POST' as const,
        path: '/one',
        headers: { 'X-Key': 'a-{fresh}-b', 'X-Who': 'one' },
        body: '{}',
      },
      {
        method: 'POST' as const,
        path: '/two',
        headers: { 'X-Key': 'a-{fresh}-b', 'X-Who': 'two' },
        body: '{}',
      },
    ],
    expected,
  })

  describe(`loads by ${tool.name}`, () => {
    test('send the requests in turns, with the headers of each and a fresh text every time', async () => {
      const keys: unknown[] = []
      const seen = new Set<string>()
      const baseUrl = await serve(({ method, url, headers }) => {
        keys.push(headers['x-key'])
        seen.add(`${method} ${url} ${headers['x-who']} ${headers['content-length']}`)
        return 'right'
      })
      const result = await runLoad(tool, order(baseUrl))
      expect([...seen].sort()).toEqual(['POST /one one 2', 'POST /two two 2'])
      expect(new Set(keys).size).toBe(keys.length)
      expect(keys.every((key) => /^a-[\w.-]+-b$/.test(String(key)))).toBe(true)
      expect(result.requests).toBeGreaterThan(0)
      expect(result.requests).toBeLessThanOrEqual(keys.length)
      expect(result.p50Ms).toBeLessThanOrEqual(result.p99Ms)
    })

    test.each([
      { what: 'length', wrong: 'right!' },
      { what: 'text', wrong: 'wrong' },
    ])('fail when a single response has another $what', async ({ wrong }) => {
      let count = 0
      const baseUrl = await serve(() => {
        count += 1
        return count === 7 ? wrong : 'right'
      })
      await expect(runLoad(tool, order(baseUrl))).rejects.toThrow(/^1 of \d+ responses .* were wrong/)
    })

    test('fail without any response', async () => {
      await expect(runLoad(tool, order('http://127.0.0.1:9'))).rejects.toThrow(/were wrong|unable to connect/)
    })
  })
}

describeLoad(autocannonLoad)
const best = loadTool()
if (best.name !== autocannonLoad.name) describeLoad(best)
