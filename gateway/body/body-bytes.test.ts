import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ByteSource, createRequestBytes } from './body-bytes.js'
import { codeOf, type Outcome, rulesForTests, startBodyServer } from './testing/body-server.js'

const json = 'Content-Type: application/json'
const patient = { idleMs: 60_000, minBytesPerSecond: 1, afterMs: 60_000 }

/** Sends the head and the start of a body, and then one byte every 20 ms until the response. */
async function drip(limits: typeof patient, drips: boolean): Promise<Outcome> {
  const server = await startBodyServer({ ...rulesForTests, limits })
  const socket = await server.connect([json, 'Content-Length: 100000'])
  socket.write('{"tool":"')
  const dripping = drips ? setInterval(() => socket.write('x'), 20) : undefined
  const outcome = await server.next()
  clearInterval(dripping)
  socket.destroy()
  await server.close()
  return outcome
}

describe('a body that arrives too slowly', () => {
  it('is rejected when nothing arrives for too long', async () => {
    const outcome = await drip({ ...patient, idleMs: 100 }, false)
    expect(outcome.error).toMatchObject({ kind: 'timeout', code: 'request_timeout' })
  })

  it('is rejected when its average is too low, even without pauses', async () => {
    const outcome = await drip({ ...patient, minBytesPerSecond: 10_000, afterMs: 100 }, true)
    expect(codeOf(outcome)).toBe('request_timeout')
  })

  it('is rejected when it does not start after 100 Continue', async () => {
    const server = await startBodyServer({ ...rulesForTests, limits: { ...patient, idleMs: 50 } })
    const socket = await server.connect([json, 'Content-Length: 10', 'Expect: 100-continue'])
    expect(codeOf(await server.next())).toBe('request_timeout')
    socket.destroy()
    await server.close()
  })
})

describe('the reader', () => {
  const limits = { idleMs: 15_000, minBytesPerSecond: 64_000, afterMs: 15_000 }
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Whether a read fails within `ms`. */
  async function givesUp(source: ByteSource, ms: number): Promise<boolean> {
    let refused = false
    source.next().catch(() => {
      refused = true
    })
    vi.advanceTimersByTime(ms)
    await turn()
    await turn()
    return refused
  }

  it('gives a silent caller exactly the allowed time', async () => {
    expect(await givesUp(createRequestBytes(new PassThrough(), limits), 14_999)).toBe(false)
    expect(await givesUp(createRequestBytes(new PassThrough(), limits), 15_000)).toBe(true)
  })

  it('gives a slow caller time in proportion to what has arrived', async () => {
    const request = new PassThrough()
    const source = createRequestBytes(request, limits)
    for (let piece = 0; piece < 16; piece++) {
      const next = source.next()
      vi.advanceTimersByTime(1_000)
      request.write(Buffer.alloc(64_000))
      expect((await next)?.length).toBe(64_000)
    }
    expect(await givesUp(source, 1)).toBe(true)
  })

  it('does not count time in which it is not waiting for the caller', async () => {
    const request = new PassThrough()
    const source = createRequestBytes(request, limits)
    for (let piece = 0; piece < 5; piece++) {
      request.write(Buffer.alloc(10))
      expect((await source.next())?.length).toBe(10)
      vi.advanceTimersByTime(60_000)
      await turn()
    }
    request.end()
    expect(await source.next()).toBe(null)
  })

  it('accepts bytes that arrived while the event loop was busy', async () => {
    const request = new PassThrough()
    const source = createRequestBytes(request, limits)
    const next = source.next()
    vi.advanceTimersByTime(20_000)
    request.write('late')
    expect(String(await next)).toBe('late')
    // The time in which the process was busy does not count for the caller.
    expect(await givesUp(source, 14_999)).toBe(false)
  })

  it('rejects waiting readers when stopped, and accepts nothing more', async () => {
    const request = new PassThrough()
    const source = createRequestBytes(request, limits)
    const next = source.next()
    source.stop(new Error('stopped'))
    await expect(next).rejects.toThrow('stopped')
    expect(request.isPaused()).toBe(true)
    expect(request.listenerCount('data')).toBe(0)
  })
})
