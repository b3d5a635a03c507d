import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OptionField, optionFields } from '#engine/tools/option-fields.js'
import { tools } from '#engine/tools/registry.js'
import type { ToolDescription } from '#engine/tools/tool.js'
import { describeOnLinux } from '#libs/testing/describe-on-linux.js'
import type { ApiClient, ApiResponse } from './harness/api-client.js'
import { hostileInputsOf, hostilePairs, worstOptions } from './harness/hostile-inputs.js'
import { iterations } from './harness/iterations.js'
import { mebibytes, memoryGrowth } from './harness/memory-growth.js'
import { startSystem, type TestSystem } from './harness/system.js'

/** Of a request below 1 MB: the most bytes of a response, and of memory in a process that serves others. */
const responseBytesMax = 8_000_000
const growthBytesMax = 64 * 1_048_576

let system: TestSystem
let client: ApiClient

beforeAll(async () => {
  system = await startSystem()
  client = await system.user('amplifier', 'pro')
  // The heaps of new processes grow by what they load at first.
  for (const tool of tools) {
    const [input] = hostileInputsOf(tool)
    if (input !== undefined) await post(`/api/tools/${tool.name}`, input.body, 'text/plain')
  }
  for (const pair of hostilePairs) await compared('changes', pair)
})
afterAll(() => system?.stop())

/** `null` for a response that was cut off, so that nobody takes it for complete. */
async function post(path: string, body: Buffer | string, type: string): Promise<ApiResponse | null> {
  const sending = client.request('POST', path, { body, headers: { 'Content-Type': type } })
  return sending.catch((error: unknown) => {
    if (error instanceof TypeError && error.message === 'terminated') return null
    throw error
  })
}

function compared(format: string, { a, b }: { readonly a: string; readonly b: string }) {
  const body = `{"a":{"data":${a}},"b":{"data":${b}},"limit":1000,"format":"${format}"}`
  return post('/api/compare', body, 'application/json')
}

/** A value of an option, valid most of the time. */
function optionValue({ control }: OptionField): fc.Arbitrary<string> {
  switch (control.kind) {
    case 'choice':
      return fc.constantFrom(...control.choices)
    case 'switch':
      return fc.constantFrom('true', 'false')
    case 'number':
      return fc.integer({ min: control.min, max: control.max }).map(String)
    case 'text':
      return fc.oneof(fc.constantFrom('$..*', 'a', '/a', '\t', ';'), fc.string({ maxLength: 40 }))
    default:
      return control satisfies never
  }
}

/** A query that sets some of a tool's options. */
function queryOf(tool: ToolDescription): fc.Arbitrary<string> {
  const fields = optionFields(tool).map((field) =>
    fc.option(
      optionValue(field).map((value) => [field.name, value] as const),
      { nil: null },
    ),
  )
  return fc.tuple(...fields).map((chosen) => {
    const query = new URLSearchParams(worstOptions[tool.name] ?? '')
    for (const pair of chosen) if (pair !== null) query.set(...pair)
    return query.toString()
  })
}

/** Runs one request after the other, and names the first that takes too much. */
async function expectProportion(name: string, send: () => Promise<ApiResponse | null>): Promise<void> {
  let response: ApiResponse | null = null
  const { processes } = system
  const grown = await memoryGrowth(
    processes.map(({ pid }) => pid),
    async () => {
      response = await send()
    },
  )
  const { status = 0, text = '' } = (response ?? {}) as Partial<ApiResponse>
  const said = `${name}: ${status} ${text.slice(0, 200)}`
  expect(status, said).toBeLessThan(500)
  expect(Buffer.byteLength(text), said).toBeLessThanOrEqual(responseBytesMax)
  for (const [index, bytes] of grown.entries())
    expect(bytes, `${said}: ${processes[index]?.name} grew by ${mebibytes(bytes)}`).toBeLessThanOrEqual(
      growthBytesMax,
    )
}

describeOnLinux('a request below 1 MB is answered in proportion', () => {
  const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
  const rounds = iterations(2, 20)

  it.each(tools)('by $name with any options', { timeout: 600_000 }, async (tool) => {
    const inputs = hostileInputsOf(tool).filter(({ gzip }) => gzip !== true)
    for (const [turn, { name, body }] of inputs.entries()) {
      for (const query of fc.sample(queryOf(tool), { numRuns: rounds, seed: seed + turn }))
        await expectProportion(`FUZZ_SEED=${seed} ${tool.name}?${query} of ${name}`, () =>
          post(`/api/tools/${tool.name}?${query}`, body, 'text/plain'),
        )
    }
  })

  it.each(['changes', 'summary', 'json-patch', 'text'])(
    'as a comparison with %s',
    { timeout: 600_000 },
    async (format) => {
      for (const pair of hostilePairs)
        await expectProportion(`${format} of ${pair.name}`, () => compared(format, pair))
    },
  )

  it('by reads of a part of what was saved', { timeout: 600_000 }, async () => {
    for (const { name, a } of hostilePairs) {
      const body = `{"tool":"amplifier","title":"Large","data":${a}}`
      const made = await post('/api/snippets', body, 'application/json')
      if (made === null || made.status !== 201) throw new Error(`${name}: ${made?.status} ${made?.text}`)
      const { id } = made.json<{ id: string }>()
      for (const part of ['', '/raw', '/raw?pointer=/a', '/raw?rows=1-1000', '?pointer=/a'])
        await expectProportion(`GET ${part} of ${name}`, () => client.get(`/api/snippets/${id}${part}`))
      await client.request('DELETE', `/api/snippets/${id}`)
    }
  })
})
