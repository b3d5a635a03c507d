import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { envelopeBytesMax } from './body-errors.js'
import { type BodyServer, codeOf, rulesForTests, startBodyServer } from './testing/body-server.js'
import type { MemorySinks } from './testing/memory-sink.js'

const plans = { free: 5_242_880, pro: 52_428_800 } as const

/** A JSON object of exactly `size` bytes, filled with `unit`. */
function dataOf(size: number, unit: string): string {
  const count = Math.floor((size - 8) / Buffer.byteLength(unit))
  const left = size - 8 - count * Buffer.byteLength(unit)
  return `{"v":"${unit.repeat(count)}${'x'.repeat(left)}"}`
}

/** The content of the last document. */
const storedBytes = ({ opened }: MemorySinks): number | undefined =>
  opened.at(-1)?.chunks.reduce((sum, { length }) => sum + length, 0)

const units: readonly (readonly [string, string])[] = [
  ['ASCII', 'x'],
  ['characters of several bytes', 'é€😀'],
  ['escapes', '\\u00e9'],
]
// Noun and plan change only the message and a number, so slow cases run for one of each.
const cases = [
  { plan: 'free', noun: 'snippet', written: units },
  { plan: 'free', noun: 'share', written: units.slice(0, 1) },
  { plan: 'pro', noun: 'snippet', written: units.slice(0, 1) },
] as const

for (const { plan, noun, written } of cases) {
  const bytesMax = plans[plan]
  describe(`data of a ${noun} on the ${plan} plan`, () => {
    let server: BodyServer
    beforeAll(async () => {
      server = await startBodyServer({ ...rulesForTests, data: { bytesMax, plan, noun } })
    })
    afterAll(() => server.close())

    for (const [what, unit] of written) {
      it(`is accepted up to the exact limit and rejected one byte past it: ${what}, declared, chunked and gzip`, {
        timeout: 300_000,
      }, async () => {
        for (const over of [0, 1]) {
          const body = Buffer.from(`{"tool":"csv","data":${dataOf(bytesMax + over, unit)},"title":"t"}`)
          const zipped = gzipSync(body, { level: 1 })
          const gzip = { 'Content-Encoding': 'gzip' }
          const outcomes = [await server.send(body), await server.send(zipped, gzip, true)]
          if (plan === 'free')
            outcomes.push(await server.send(body, {}, true), await server.send(zipped, gzip))
          for (const outcome of outcomes) {
            expect(codeOf(outcome)).toBe(over === 0 ? undefined : 'data_too_large')
            if (over === 0) expect(storedBytes(server.sinks)).toBe(bytesMax)
            else expect(outcome.error).toMatchObject({ details: { limit: bytesMax, plan } })
          }
          if (over === 1) expect(outcomes[0]?.error).toMatchObject({ details: { actual: body.length } })
        }
      })
    }
  })
}

describe('a body', () => {
  let server: BodyServer
  beforeAll(async () => {
    server = await startBodyServer()
  })
  afterAll(() => server.close())
  const most = plans.free + envelopeBytesMax
  const json = 'Content-Type: application/json'

  it('whose declared length is too large is rejected before it is read', async () => {
    const socket = await server.connect([json, `Content-Length: ${most + 1}`])
    const outcome = await server.next()
    expect(outcome.error).toMatchObject({
      kind: 'too-large',
      code: 'data_too_large',
      message: 'The Free plan allows 5 MB of data per share (Pro: 50 MB); you sent 5.1 MB.',
      details: { limit: plans.free, actual: most + 1, plan: 'free' },
    })
    expect(outcome.bytesRead).toBeLessThan(1_000)
    socket.destroy()
  })

  it('with the maximum data and envelope is accepted', async () => {
    const rest = `{"tool":"","data":}`.length
    const body = Buffer.from(
      `{"tool":"${'t'.repeat(envelopeBytesMax - rest)}","data":${dataOf(plans.free, 'x')}}`,
    )
    expect(body.length).toBe(most)
    expect(codeOf(await server.send(body))).toBeUndefined()
  })

  it('in chunks is rejected without reading the rest', async () => {
    const body = Buffer.from(`{"data":${dataOf(plans.pro, 'x')}}`)
    const outcome = await server.send(body, {}, true)
    expect(codeOf(outcome)).toBe('data_too_large')
    expect(outcome.bytesRead).toBeLessThan(plans.free + 1_000_000)
  })

  it('shorter than declared counts as aborted', async () => {
    const socket = await server.connect([json, 'Content-Length: 100'])
    const outcome = server.next()
    socket.write('{"tool":"csv"}', () => socket.destroy())
    expect((await outcome).error).toMatchObject({ name: 'RequestAborted' })
  })

  it('longer than declared ends at its declared length', async () => {
    const socket = await server.connect([json, 'Content-Length: 14'])
    socket.write('{"tool":"csv"}{"tool":"smuggled"}')
    const { received } = await server.next()
    expect({ ...received?.fields.fields }).toEqual({ tool: 'csv' })
    socket.destroy()
  })

  it('of an operation without data may take 64 KiB', async () => {
    const small = await startBodyServer({ ...rulesForTests, data: null })
    const body = (size: number): Buffer => Buffer.from(`{"title":"${'t'.repeat(size - 12)}"}`)
    expect(codeOf(await small.send(body(envelopeBytesMax)))).toBeUndefined()
    expect(codeOf(await small.send(body(envelopeBytesMax + 1)))).toBe('data_too_large')
    expect(codeOf(await small.send(body(envelopeBytesMax + 1), {}, true))).toBe('data_too_large')
    await small.close()
  })
})
