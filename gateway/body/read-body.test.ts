import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import type { NewData } from '#proto/snipkeep/content/v1/document_service.js'
import { inlineBytesMax } from '#shared/core/data-size.js'
import { RequestAborted } from '../request/request-context.js'
import { sinkChunkBytes } from './data-receiver.js'
import { type BodyServer, codeOf, rulesForTests, startBodyServer } from './testing/body-server.js'
import { memorySinks } from './testing/memory-sink.js'
import { createUploadBudget } from './upload-budget.js'

let server: BodyServer
afterEach(() => server.close())

const inlineData = (data: NewData | undefined): Uint8Array | undefined =>
  data?.source?.$case === 'inline' ? data.source.value : undefined

/** A body with `data` of `size` bytes. */
function bodyOf(size: number): { body: Buffer; data: string } {
  const data = `{"v":"${'x'.repeat(size - 8)}"}`
  return { body: Buffer.from(`{"tool":"csv","data":${data},"title":"t"}`), data }
}

describe('data', () => {
  it('of up to 64 KiB is returned at once, without opening a sink', async () => {
    server = await startBodyServer()
    const { body, data } = bodyOf(inlineBytesMax)
    const { received } = await server.send(body)
    expect(inlineData(received?.data)).toEqual(Buffer.from(data))
    expect({ ...received?.fields.fields }).toEqual({ tool: 'csv', title: 't' })
    expect(server.sinks.opened).toHaveLength(0)
  })

  it('of one byte more goes to the sink completely', async () => {
    server = await startBodyServer()
    const { body, data } = bodyOf(inlineBytesMax + 1)
    const { received } = await server.send(body)
    expect(received?.data?.source).toEqual({ $case: 'documentId', value: 'document-1' })
    expect(Buffer.concat(server.sinks.opened[0]?.chunks ?? []).equals(Buffer.from(data))).toBe(true)
  })

  it('goes to one sink in chunks of 256 KiB, in order, however it arrives', async () => {
    server = await startBodyServer()
    const { body, data } = bodyOf(3_000_001)
    for (const chunked of [true, false]) {
      const { received } = await server.send(body, {}, chunked)
      expect(received?.data?.source?.$case).toBe('documentId')
      const sink = server.sinks.opened.at(-1)
      expect(sink?.state).toBe('finished')
      expect(Buffer.concat(sink?.chunks ?? []).equals(Buffer.from(data))).toBe(true)
      expect(sink?.chunks.slice(0, -1).every((chunk) => chunk.length === sinkChunkBytes)).toBe(true)
    }
    expect(server.sinks.opened).toHaveLength(2)
  })

  it('is null if there is none', async () => {
    server = await startBodyServer()
    const { received } = await server.send(Buffer.from('{"title":"t"}'))
    expect(received?.data).toBeUndefined()
    expect(received?.fields.dataSeen).toBe(false)
  })
})

describe('backpressure', () => {
  it('pauses reading while the sink is not ready', async () => {
    let release = (): void => {}
    const ready = new Promise<void>((resolve) => {
      release = resolve
    })
    let took = (): void => {}
    const first = new Promise<void>((resolve) => {
      took = resolve
    })
    const sinks = memorySinks(() => {
      took()
      return ready
    })
    server = await startBodyServer(
      { ...rulesForTests, data: { bytesMax: 52_428_800, plan: 'pro', noun: 'share' } },
      sinks,
    )
    const { body } = bodyOf(40_000_000)
    const socket = await server.connect(['Content-Type: application/json', `Content-Length: ${body.length}`])
    socket.write(body)
    await first
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(sinks.opened[0]?.chunks).toHaveLength(1)
    const outcome = server.next()
    release()
    const { received } = await outcome
    expect(received?.data?.source?.$case).toBe('documentId')
    socket.destroy()
  })
})

describe('after any failure', () => {
  it.each([
    ['malformed JSON at the end', Buffer.concat([bodyOf(500_000).body, Buffer.from('x')]), 'malformed_json'],
    ['a body that is cut short', bodyOf(500_000).body.subarray(0, -1), 'malformed_json'],
    ['too much data', bodyOf(5_242_881).body, 'data_too_large'],
  ])('cancels the sink: %s', async (_what, body, code) => {
    server = await startBodyServer()
    expect(codeOf(await server.send(body, {}, true))).toBe(code)
    expect(server.sinks.opened.map(({ state }) => state)).toEqual(['cancelled'])
  })

  it('nothing of an invalid body is stored, and it is still read to its end', async () => {
    server = await startBodyServer()
    const { data } = bodyOf(500_000)
    const late = await server.send(Buffer.from(`{"data":${data},"unknown":1}`))
    expect(late.received?.fields.problems).toMatchObject([{ code: 'unknown_field', pointer: '/unknown' }])
    expect(late.received?.data).toBeUndefined()
    expect(server.sinks.opened.map(({ state }) => state)).toEqual(['cancelled'])
    const early = await server.send(Buffer.from(`{"unknown":1,"data":${data}}`))
    expect(early.received?.fields.dataSeen).toBe(true)
    expect(server.sinks.opened).toHaveLength(1)
    expect(codeOf(await server.send(Buffer.from(`{"unknown":1,"data":${data}`)))).toBe('malformed_json')
  })

  it('nothing of an unparsable body is stored', async () => {
    const refusal = new Error('refused by parse')
    const parse = (): never => {
      throw refusal
    }
    server = await startBodyServer({ ...rulesForTests, parse })
    expect((await server.send(bodyOf(500_000).body)).error).toBe(refusal)
    expect(server.sinks.opened.map(({ state }) => state)).toEqual(['cancelled'])
  })

  it('the sink’s error is passed on', async () => {
    const failure = new Error('the store is gone')
    server = await startBodyServer(
      rulesForTests,
      memorySinks(() => Promise.reject(failure)),
    )
    expect((await server.send(bodyOf(500_000).body)).error).toBe(failure)
    expect(server.sinks.opened.map(({ state }) => state)).toEqual(['cancelled'])
  })

  it('a disconnect is noticed, and cancels the sink', async () => {
    server = await startBodyServer()
    const socket = await server.connect(['Content-Type: application/json', 'Content-Length: 1000000'])
    const outcome = server.next()
    socket.write(bodyOf(500_000).body.subarray(0, 400_000), () => socket.destroy())
    expect((await outcome).error).toBeInstanceOf(RequestAborted)
    expect(server.sinks.opened.every(({ state }) => state === 'cancelled')).toBe(true)
  })

  it('a disconnect is noticed even while the sink is not ready', async () => {
    let took = (): void => {}
    const first = new Promise<void>((resolve) => {
      took = resolve
    })
    const sinks = memorySinks(() => {
      took()
      return new Promise(() => {})
    })
    server = await startBodyServer(rulesForTests, sinks)
    const { body } = bodyOf(400_000)
    const socket = await server.connect(['Content-Type: application/json', `Content-Length: ${body.length}`])
    const outcome = server.next()
    socket.write(body)
    await first
    socket.destroy()
    expect((await outcome).error).toBeInstanceOf(RequestAborted)
    expect(sinks.opened.map(({ state }) => state)).toEqual(['cancelled'])
  })
})

describe('the budget', () => {
  it('rejects a body when nothing is left, and accepts it once something is', async () => {
    const budget = createUploadBudget(1_500_000)
    server = await startBodyServer(rulesForTests, memorySinks(), budget)
    const release = budget.reserve(1_000_000)
    const { error } = await server.send(bodyOf(900_000).body)
    expect(error).toMatchObject({ kind: 'unavailable', code: 'unavailable', details: { retry_after: 1 } })
    expect(codeOf(await server.send(bodyOf(1_000).body))).toBeUndefined()
    release()
    for (let round = 0; round < 3; round++)
      expect(codeOf(await server.send(bodyOf(900_000).body))).toBeUndefined()
  })

  it('reserves for an absent body no more than for a small one', async () => {
    const budget = createUploadBudget(1_048_576)
    server = await startBodyServer(rulesForTests, memorySinks(), budget)
    const head = ['Content-Type: application/json', 'Content-Length: 2000000']
    const silent = await Promise.all(Array.from({ length: 10 }, () => server.connect(head)))
    expect(codeOf(await server.send(bodyOf(300_000).body))).toBeUndefined()
    for (const socket of silent) socket.destroy()
  })

  it('gets the bytes of failed bodies back', async () => {
    const budget = createUploadBudget(1_048_576)
    server = await startBodyServer(rulesForTests, memorySinks(), budget)
    for (let round = 0; round < 3; round++) {
      expect(codeOf(await server.send(Buffer.from('{"'), {}, true))).toBe('malformed_json')
      const socket = await server.connect(['Content-Type: application/json', 'Content-Length: 2000000'])
      const outcome = server.next()
      socket.write('{"tool"', () => socket.destroy())
      await once(socket, 'close')
      expect((await outcome).error).toBeInstanceOf(RequestAborted)
    }
    budget.reserve(1_048_576)()
  })
})
