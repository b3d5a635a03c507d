import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReadiness, type ReadinessDependencies } from './readiness.js'

let web: Server
let webUrl = ''
beforeAll(async () => {
  web = createServer((_request, response) => response.end('ok'))
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  webUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
})
afterAll(() => {
  web.closeAllConnections()
  web.close()
})

/** A gateway whose dependencies respond as given, with a clock that the test moves. */
function gatewayWith(parts: Partial<ReadinessDependencies> = {}) {
  const state = { content: true, issuers: true, erased: true, stopping: false, now: 0 }
  const lines: string[] = []
  const note =
    (level: string) =>
    ({ event: _event, ...fields }: { readonly event: string }, message: string) => {
      const rest = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`
      lines.push(`${level} ${message}${rest}`)
    }
  const check = createReadiness({
    health: { content: { isServing: async () => state.content } },
    webUrl,
    issuers: { prepare: async () => {}, isReady: () => state.issuers },
    erasuresDone: async () => state.erased,
    issuersWaitMs: 30_000,
    details: true,
    isStopping: () => state.stopping,
    now: () => state.now,
    log: { info: note('info'), warn: note('warn') } as unknown as ReadinessDependencies['log'],
    ...parts,
  })
  return {
    state,
    lines,
    askAfter: (ms: number) => {
      state.now += ms
      return check()
    },
  }
}

const all = { content: true, web: true, issuers: true }

describe('a gateway', () => {
  it('is not ready until what was erased after the backup of a restored database is erased again', async () => {
    const { state, lines, askAfter } = gatewayWith()
    state.erased = false
    expect(await askAfter(1_000)).toEqual({ ready: false, reachable: { ...all, erasures: false } })
    expect(lines).toEqual(['info not ready: waiting for dependencies {"unreachable":["erasures"]}'])
    state.erased = true
    expect(await askAfter(1_000)).toEqual({ ready: true, reachable: all })
    state.erased = false
    expect((await askAfter(1_000)).ready).toBe(true)
  })

  it('is ready once every service has responded, and stays so until it stops', async () => {
    const { state, askAfter } = gatewayWith()
    expect(await askAfter(1_000)).toEqual({ ready: true, reachable: all })
    state.content = false
    state.issuers = false
    const later = { content: false, web: true, issuers: false }
    expect(await askAfter(1_000)).toEqual({ ready: true, reachable: later })
    state.stopping = true
    expect(await askAfter(1_000)).toEqual({ ready: false, reachable: { gateway: false } })
  })

  it('that starts without an issuer becomes ready after a grace period, and logs what does not work', async () => {
    const { state, askAfter, lines } = gatewayWith()
    state.issuers = false
    const without = { ...all, issuers: false }
    expect(await askAfter(29_000)).toEqual({ ready: false, reachable: without })
    expect(await askAfter(1_000)).toEqual({ ready: true, reachable: without })
    expect(await askAfter(1_000)).toEqual({ ready: true, reachable: without })
    state.issuers = true
    expect(await askAfter(1_000)).toEqual({ ready: true, reachable: all })
    expect(lines).toEqual([
      'info not ready: waiting for dependencies {"unreachable":["issuers"]}',
      'warn ready without the keys of every issuer: their identity tokens get 503 {"unreachable":["issuers"]}',
      'info ready',
    ])
  })

  it('waits for every other service as long as it takes', async () => {
    const { state, askAfter } = gatewayWith()
    state.content = false
    state.issuers = false
    expect(await askAfter(600_000)).toMatchObject({ ready: false })
    state.content = true
    expect(await askAfter(1_000)).toMatchObject({ ready: true })
  })

  it('is not blocked by a silent issuer', async () => {
    const never = new Promise<void>(() => {})
    const { askAfter } = gatewayWith({ issuers: { prepare: () => never, isReady: () => false } })
    expect(await askAfter(30_000)).toEqual({ ready: true, reachable: { ...all, issuers: false } })
  })

  it('can hide which service is unavailable, except from its log', async () => {
    const { state, askAfter, lines } = gatewayWith({ details: false })
    state.content = false
    expect(await askAfter(1_000)).toEqual({ ready: false, reachable: {} })
    state.stopping = true
    expect(await askAfter(1_000)).toEqual({ ready: false, reachable: {} })
    expect(lines).toEqual(['info not ready: waiting for dependencies {"unreachable":["content"]}'])
  })
})
