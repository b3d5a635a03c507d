import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeOnLinux, itOnLinux } from '#libs/testing/describe-on-linux.js'
import type { ApiClient } from '../harness/api-client.js'
import { iterations } from '../harness/iterations.js'
import { quantileMs, report, startLoad } from '../harness/load.js'
import { streamedRequest } from '../harness/streamed-request.js'
import { startSystem, type TestSystem } from '../harness/system.js'
import type { SystemProcess } from '../harness/system-process.js'

const mebibyte = 1_048_576
const proBytes = 50 * mebibyte
const uploads = iterations(4, 32)

let system: TestSystem
let ann: ApiClient
let authorization: string

beforeAll(async () => {
  // Memory of a small pod: the kernel would kill it beyond this.
  const small = { NODE_OPTIONS: '--max-old-space-size=160' }
  system = await startSystem({ gatewayEnv: small, contentEnv: small })
  ann = await system.user('ann', 'pro')
  authorization = `Bearer ${await system.issuer.token('ann')}`
})
afterAll(() => system?.stop())

/** The peak memory of a process, in bytes. */
function peakOf({ pid }: SystemProcess): number {
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(found?.[1] ?? 0) * 1_024
}

/** The current resident memory, in bytes. */
function residentOf({ pid }: SystemProcess): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(found?.[1] ?? 0) * 1_024
}

/** A snippet with as many bytes of `data` as Pro allows. */
function* largest(title: string): Generator<Buffer, void, undefined> {
  const [open, close] = ['{"text":"', '"}']
  yield Buffer.from(`{"tool":"json","title":"${title}","data":${open}`)
  let left = proBytes - open.length - close.length
  for (const block = Buffer.alloc(65_536, 'z'); left > 0; left -= block.length)
    yield left < block.length ? block.subarray(0, left) : block
  yield Buffer.from(`${close}}`)
}

async function save(title: string, plural = 'snippets'): Promise<number> {
  const headers = { Authorization: authorization, 'Content-Type': 'application/json' }
  const url = `${system.baseUrl()}/api/${plural}`
  return (await streamedRequest(url, 'POST', headers, largest(title))).status
}

describeOnLinux('many uploads of 50 MB at once', () => {
  it('are all stored, some after a retry, by a small process that keeps serving others', {
    timeout: 300_000,
  }, async () => {
    const [gateway, content] = [system.gateways[0], system.contents[0]]
    if (gateway === undefined || content === undefined) throw new Error('the system has no processes')
    const { id } = (await ann.post('/api/snippets', { tool: 'json', title: 'small', data: {} })).json<{
      id: string
    }>()
    const small = startLoad(20, { read: async () => (await ann.get(`/api/snippets/${id}`)).status })
    let refused = 0
    const keep = async (index: number): Promise<number> => {
      for (let tries = 0; ; tries += 1) {
        const status = await save(`large ${index}`)
        if (status !== 503 || tries === 20) return status
        refused += 1
        await sleep(1_000)
      }
    }
    const statuses = await Promise.all(Array.from({ length: uploads }, (_, index) => keep(index)))
    const outcomes = await small.stop()
    report(
      `${uploads} uploads, ${refused} refused at first; gateway ${Math.round(peakOf(gateway) / mebibyte)} MiB and content ${Math.round(peakOf(content) / mebibyte)} MiB at most; small reads p99 ${Math.round(quantileMs(outcomes, 0.99))} ms`,
      outcomes,
    )
    expect(statuses).toEqual(statuses.map(() => 201))
    expect(refused).toBeLessThanOrEqual(uploads * 0.2)
    expect(outcomes.filter(({ status }) => status !== 200)).toEqual([])
    for (const one of [gateway, content]) expect(peakOf(one)).toBeLessThan(512 * mebibyte)
  })

  it('are listed page by page, completely, in little memory', {
    timeout: 300_000,
  }, async () => {
    const [gateway] = system.gateways
    if (gateway === undefined) throw new Error('the system has no gateway')
    const before = residentOf(gateway)
    let peak = before
    const watch = setInterval(() => {
      peak = Math.max(peak, residentOf(gateway))
    }, 20)
    const seen: string[] = []
    for (let path: string | null = '/api/snippets?limit=100'; path !== null; ) {
      const response = await fetch(`${system.baseUrl()}${path}`, {
        headers: { Authorization: authorization },
      })
      expect(response.status).toBe(200)
      const text = Buffer.from(await response.arrayBuffer())
      const tail = text.subarray(-200).toString()
      for (const [, title = ''] of text.toString('latin1').matchAll(/"title":"(large \d+|small)"/g))
        seen.push(title)
      const cursor: string | undefined = /"next_cursor":"([^"]+)"/.exec(tail)?.[1]
      path = cursor === undefined ? null : `/api/snippets?limit=100&cursor=${encodeURIComponent(cursor)}`
    }
    clearInterval(watch)
    process.stdout.write(
      `${seen.length} listed; the gateway grew by ${Math.round((peak - before) / mebibyte)} MiB\n`,
    )
    expect(new Set(seen).size).toBe(uploads + 1)
    expect(peak - before).toBeLessThan(64 * mebibyte)
  })
})

describe('slow clients', () => {
  const good = () => startLoad(50, { plans: async () => (await system.anyone().get('/api/plans')).status })

  it('are cut off while sending headers or bodies or reading, without affecting others', {
    timeout: 300_000,
  }, async () => {
    const { port } = new URL(system.baseUrl())
    const count = iterations(200, 1_000)
    const lifetimes: number[] = []
    const load = good()
    const dawdle = (first: string, drip: string): Promise<void> =>
      new Promise((resolve) => {
        const socket = connect(Number(port), '127.0.0.1')
        const startedAt = performance.now()
        socket.on('error', () => {})
        socket.write(first)
        const timer = setInterval(() => socket.write(drip), 1_000)
        socket.resume()
        socket.once('close', () => {
          clearInterval(timer)
          lifetimes.push(performance.now() - startedAt)
          resolve()
        })
      })
    const headers = 'GET /api/plans HTTP/1.1\r\nHost: a\r\n'
    const body = `POST /api/snippets HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"data":{"x":"`
    await Promise.all(
      Array.from({ length: count }, (_, index) =>
        index % 2 === 0 ? dawdle(headers, 'X-A: b\r\n') : dawdle(body, 'y'),
      ),
    )
    const outcomes = await load.stop()
    report(
      `${count} slow connections lived for ${Math.round(Math.max(...lifetimes) / 1_000)} s at most; others' p99 ${Math.round(quantileMs(outcomes, 0.99))} ms`,
      outcomes,
    )
    expect(lifetimes).toHaveLength(count)
    expect(Math.max(...lifetimes)).toBeLessThan(25_000)
    expect(outcomes.filter(({ status }) => status !== 200)).toEqual([])
  })

  itOnLinux(
    'over what they read get it as slowly as they like, and no one else notices',
    {
      timeout: 300_000,
    },
    async () => {
      expect(await save('read slowly', 'shares')).toBe(201)
      const list = await ann.get('/api/shares?limit=1')
      const [{ id }] = list.json<{ shares: [{ id: string }] }>().shares
      const [gateway] = system.gateways
      if (gateway === undefined) throw new Error('the system has no gateway')
      const before = residentOf(gateway)
      const load = good()
      const { port } = new URL(system.baseUrl())
      const sockets = Array.from({ length: iterations(20, 60) }, (_, index) => {
        // Each from its own IP address, since concurrent reads are limited per address.
        const localAddress = `127.0.1.${index + 1}`
        const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress })
        socket.on('error', () => {})
        socket.write(`GET /api/shares/${id}/raw HTTP/1.1\r\nHost: a\r\n\r\n`)
        // Reads a few bytes a second: the socket is paused otherwise.
        socket.pause()
        const timer = setInterval(() => socket.read(64), 500)
        socket.once('close', () => clearInterval(timer))
        return socket
      })
      await sleep(iterations(5_000, 20_000))
      const grown = residentOf(gateway) - before
      const outcomes = await load.stop()
      for (const socket of sockets) socket.destroy()
      report(
        `${sockets.length} slow readers of 50 MB: the gateway grew by ${Math.round(grown / mebibyte)} MiB; others' p99 ${Math.round(quantileMs(outcomes, 0.99))} ms`,
        outcomes,
      )
      expect(grown).toBeLessThan(sockets.length * 4 * mebibyte)
      expect(outcomes.filter(({ status }) => status !== 200)).toEqual([])
    },
  )

  it('that disconnect by the thousand affect no other request', async () => {
    const { id } = (await ann.post('/api/snippets', { tool: 'json', title: 'wanted', data: {} })).json<{
      id: string
    }>()
    let running = true
    const staying = Array.from({ length: 100 }, async () => {
      const found: number[] = []
      while (running) found.push((await ann.get(`/api/snippets/${id}`)).status)
      return found
    })
    let gaveUp = 0
    const leaving = Array.from({ length: 20 }, async () => {
      for (let turn = 0; turn < 100; turn += 1) {
        const abort = new AbortController()
        const response = ann.request('GET', `/api/snippets/${id}`, { signal: abort.signal })
        setTimeout(() => abort.abort(), Math.random() * 20)
        await response.catch(() => {
          gaveUp += 1
        })
      }
    })
    await Promise.all(leaving)
    running = false
    const statuses = (await Promise.all(staying)).flat()
    expect(gaveUp).toBeGreaterThan(20)
    expect(statuses.length).toBeGreaterThan(0)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
  })
})
