import type { ServerDuplexStream } from '@grpc/grpc-js'
import { afterEach, describe, expect, it } from 'vitest'
import {
  BatchServiceService,
  type CarryRequest,
  type CarryResponse,
} from '#proto/snipkeep/batch/v1/batch_service.js'
import { closeAll, connect, gate, reasonOf, serveRaw } from '../testing/carried-echo.js'

afterEach(closeAll)

type Stream = ServerDuplexStream<CarryRequest, CarryResponse>

/** A process whose streams are served by this, and a client of it. */
async function openCallee(carry: (stream: Stream) => void, isRetryable = false) {
  const { port, die } = await serveRaw(BatchServiceService, { carry })
  return { ...connect(`127.0.0.1:${port}`, { isRetryable }), die }
}

describe('a callee that', () => {
  it('reads nothing costs calls no more than their deadline, and never gets what they gave up', async () => {
    const [isReading, made] = [gate(), [] as string[]]
    const { ask } = await openCallee((stream) => {
      void isReading.opened.then(() =>
        stream.on('data', ({ calls }: CarryRequest) => {
          for (const { id, method, request } of calls) {
            if (method !== '') made.push(String(request))
            if (String(request) !== 'last') continue
            stream.write({ results: [{ index: id, result: { $case: 'response', value: request } }] })
          }
        }),
      )
    })
    const said = 'x'.repeat(50_000)
    const calls = Array.from({ length: 1_000 }, () => ask(said, { timeoutMs: 50 }))
    for (const result of await Promise.allSettled(calls))
      expect(reasonOf(result)).toMatchObject({ kind: 'timeout' })
    isReading.open()
    expect(await ask('last')).toBe('last')
    // On each of eight streams up to 1 MiB is on its way; grpc-js keeps as much of a call that has no response yet.
    expect(made.length).toBeLessThan(8 * 30)
  })

  it.each([
    ['is unavailable', false],
    ['gets its call again by itself if that may be retried', true],
  ])('dies in the middle of a response %s', async (_how, isRetryable) => {
    const { ask, alone, die } = await openCallee((stream) => {
      stream.on('data', ({ calls: [call] }) => {
        const result = { $case: 'piece', value: Buffer.from('half of it') } as const
        stream.write({ results: [{ index: call?.id ?? 0, result }] }, () => die())
      })
    }, isRetryable)
    const [result] = await Promise.allSettled([ask('a', { timeoutMs: 5_000 })])
    expect(reasonOf(result)).toMatchObject({ kind: 'unavailable' })
    expect(alone()).toBe(isRetryable ? 1 : 0)
  })

  it('dies when its client is closed already leaves each call an error, and harms nobody', async () => {
    const isReading = gate()
    const { ask, client, alone, die } = await openCallee((stream) => {
      stream.on('data', ({ calls }: CarryRequest) => {
        if (calls.some(({ request }) => String(request) === 'b')) isReading.open()
      })
    }, true)
    const calls = [ask('a'), ask('b')]
    await isReading.opened
    client.close()
    die()
    const results = await Promise.allSettled(calls)
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(alone()).toBe(2)
  })

  it('ends a stream with calls on it has lost them, and further ones go on another', async () => {
    let count = 0
    const { ask, streams } = await openCallee((stream) => {
      count += 1
      const isFirst = count === 1
      stream.on('data', ({ calls }: CarryRequest) => {
        if (isFirst) stream.end()
        else
          stream.write({
            results: calls.map(({ id, request }) => ({
              index: id,
              result: { $case: 'response', value: request },
            })),
          })
      })
    })
    const [lost] = await Promise.allSettled([ask('a')])
    expect(reasonOf(lost)).toMatchObject({ kind: 'unavailable' })
    expect(await ask('b')).toBe('b')
    expect(streams()).toBe(2)
  })
})
