import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tools } from '#engine/tools/registry.js'
import type { ApiClient, ApiResponse } from './harness/api-client.js'
import { type HostileInput, hostileInputsOf, hostilePairs, worstOptions } from './harness/hostile-inputs.js'
import { startSystem, type TestSystem } from './harness/system.js'

/** What a tool may answer to input that is meant to break it. */
const answers = [200, 400, 413]
/** Of a request below 1 MB, the most bytes of a response. */
const responseBytesMax = 8_000_000

let system: TestSystem
let attackers: readonly ApiClient[]
let victim: ApiClient

beforeAll(async () => {
  system = await startSystem()
  attackers = await Promise.all(Array.from({ length: 10 }, (_, index) => system.user(`attacker ${index}`)))
  victim = await system.user('victim')
})
afterAll(() => system?.stop())

const json = { 'Content-Type': 'application/json' }

/** Each in turn. */
function attacker(turn: number): ApiClient {
  const client = attackers[turn % attackers.length]
  if (client === undefined) throw new Error('there are no attackers')
  return client
}

const run = (
  client: ApiClient,
  path: string,
  { body, gzip }: Omit<HostileInput, 'name'>,
): Promise<ApiResponse> =>
  client.request('POST', `/api/tools/${path}`, {
    body,
    headers: { 'Content-Type': 'text/plain', ...(gzip ? { 'Content-Encoding': 'gzip' } : {}) },
  })

/** Output out of proportion is cut off after what was sent of it, so that nobody takes it for complete. */
async function answered(sending: Promise<ApiResponse>): Promise<ApiResponse | null> {
  return sending.catch((error: unknown) => {
    if (error instanceof TypeError && error.message === 'terminated') return null
    throw error
  })
}

async function expectServed(): Promise<void> {
  const response = await run(victim, 'json-minify', { body: Buffer.from('[ 1 ]') })
  expect([response.status, response.text]).toEqual([200, '[1]'])
}

const pids = (): readonly number[] => system.processes.map(({ pid }) => pid)

describe('whatever is sent to a tool', () => {
  it.each(tools)('$name ends no process, and others are served', async (tool) => {
    const before = pids()
    const options = worstOptions[tool.name]
    const path = options === undefined ? tool.name : `${tool.name}?${options}`
    for (const [turn, input] of hostileInputsOf(tool).entries()) {
      const response = await answered(run(attacker(turn), path, input))
      if (response !== null) {
        const said = `${input.name}: ${response.status} ${response.text.slice(0, 200)}`
        expect(answers, said).toContain(response.status)
        if (input.gzip !== true)
          expect(response.text.length, input.name).toBeLessThanOrEqual(responseBytesMax)
      }
      await expectServed()
    }
    expect(pids()).toEqual(before)
  })
})

describe('whatever is compared', () => {
  it.each(['changes', 'summary', 'json-patch', 'text'])(
    'as %s ends no process, and others are served',
    async (format) => {
      const before = pids()
      for (const [turn, { name, a, b }] of hostilePairs.entries()) {
        const body = `{"a":{"data":${a}},"b":{"data":${b}},"limit":1000,"format":"${format}"}`
        const response = await attacker(turn).request('POST', '/api/compare', { body, headers: json })
        expect(answers, `${name}: ${response.status} ${response.text.slice(0, 200)}`).toContain(
          response.status,
        )
        expect(response.text.length, name).toBeLessThanOrEqual(responseBytesMax)
        await expectServed()
      }
      expect(pids()).toEqual(before)
    },
  )
})
