import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callBothWays } from '#libs/grpc/call-both-ways.js'
import { grpcHandlers } from '#libs/grpc/handler.js'
import type { RunningServer } from '#libs/grpc/server.js'
import { plainTransport } from '#libs/grpc/transport.js'
import { createLogger } from '#libs/log/logger.js'
import { startPlainServer } from '#libs/testing/plain-grpc-server.js'
import { Plan } from '#proto/snipkeep/plan/v1/plan.js'
import { type ContractJob, JobServiceClient, type JobStart } from '#proto/snipkeep/tools/v1/job_service.js'
import { createJobSlots } from '../application/job-slots.js'
import type { JobBounds } from '../domain/job.js'
import { manualClock } from '../testing/manual-clock.js'
import { createChildPool } from './child-pool.js'
import { jobEntry, startChild } from './child-process.js'
import { childRunner } from './child-runner.js'
import { fileSpools } from './file-spools.js'
import { grpcJobs } from './grpc-jobs.js'

/** Its code is loaded by then. */
const pool = createChildPool(async (memory) => ({ ...(await startChild(jobEntry, memory)), loadingMs: 0 }))
/** Of the bounds of the next jobs. */
let changed: Partial<JobBounds> = {}
let server: RunningServer
let client: JobServiceClient

beforeAll(async () => {
  const { run } = childRunner(pool)
  const clock = manualClock()
  const ports = {
    ...{ ...clock, spools: fileSpools(100_000_000) },
    runner: {
      run: (one: Parameters<typeof run>[0]) => run({ ...one, bounds: { ...one.bounds, ...changed } }),
    },
  }
  const handlers = grpcHandlers(createLogger('test', 'silent'))
  server = await startPlainServer([grpcJobs(handlers, ports, createJobSlots(clock))])
  client = new JobServiceClient(`127.0.0.1:${server.port}`, plainTransport.channelCredentials('tools'))
})
afterAll(async () => {
  client.close()
  await server.stop()
  pool.close()
})

async function run(job: JobStart['job'], inputs: readonly string[]): Promise<string> {
  const stream = callBothWays(client, client.runJob, { requestId: 'test', timeoutMs: 120_000 })
  const start = { holder: 'a', plan: Plan.PLAN_PRO, anonymous: false, inputBytes: 9, job }
  await stream.write({ part: { $case: 'start', value: start } })
  for (const input of inputs) {
    const bytes = Buffer.from(input)
    for (let at = 0; at < bytes.length; at += 262_144)
      await stream.write({ part: { $case: 'chunk', value: bytes.subarray(at, at + 262_144) } })
    await stream.write({ part: { $case: 'inputEnds', value: true } })
  }
  stream.end()
  const chunks: Uint8Array[] = []
  for (let next = await stream.next(); next !== null; next = await stream.next()) chunks.push(next.chunk)
  return Buffer.concat(chunks).toString('utf8')
}

interface Documents {
  readonly baseline?: string
  readonly candidate?: string
  readonly schema?: string
}

/** Judges by a contract in a child of the service. */
async function judged(rules: unknown, documents: Documents, limit = 100): Promise<unknown> {
  const { baseline, candidate, schema } = documents
  const value: ContractJob = {
    rules: Buffer.from(rules === undefined ? '' : JSON.stringify(rules)),
    hasBaseline: baseline !== undefined,
    hasCandidate: candidate !== undefined,
    hasSchema: schema !== undefined,
    limit,
  }
  const inputs = [baseline, candidate, schema].flatMap((text) => (text === undefined ? [] : [text]))
  return JSON.parse(await run({ $case: 'contract', value }, inputs))
}

const minify: JobStart['job'] = {
  $case: 'tool',
  value: { name: 'json-minify', options: Buffer.from('{}') },
}
const wrong = (pointer: string) => ({ kind: 'invalid', code: 'validation_failed', details: { pointer } })

describe('a contract', () => {
  it.each([
    ['same', undefined, { baseline: '{"a":1}', candidate: '{ "a": 1 }' }],
    ['breaks', undefined, { baseline: '{"a":1}', candidate: '{"a":1.0}' }],
    [
      'allowed',
      { tolerance: [{ path: '/a', absolute: '0.5' }] },
      { baseline: '{"a":1}', candidate: '{"a":1.5}' },
    ],
    ['new', { bounds: [{ path: '/a', min: '0' }] }, { candidate: '{"a":1}' }],
    ['breaks', { bounds: [{ path: '/a', min: '2' }] }, { candidate: '{"a":1}' }],
    [
      'breaks',
      { schema: { snippet: '@s' } },
      { baseline: '{"a":1}', candidate: '{"a":1}', schema: '{"required":["b"]}' },
    ],
  ])('judges: %s by %j', async (verdict, rules, documents) => {
    expect(await judged(rules, documents)).toMatchObject({ verdict, as: 'json' })
  })

  it('says where it breaks, with the exact text of numbers', async () => {
    const judgement = await judged({}, { baseline: '{"a":{"b":1}}', candidate: '{"a":{"b":1.00}}' })
    expect(judgement).toEqual({
      verdict: 'breaks',
      as: 'json',
      counts: { breaks: 1, allowed: 0 },
      breaks: [{ pointer: '/a/b', rule: 'value', baseline: '1', candidate: '1.00' }],
      truncated: false,
    })
  })

  it('lists up to as many breaks as are wanted, and 64 KiB of them, and counts all', async () => {
    const list = (text: string) => JSON.stringify(Array(500).fill(text))
    const few = await judged({}, { baseline: list('a'), candidate: list('b') }, 3)
    expect(few).toMatchObject({ counts: { breaks: 500 }, breaks: { length: 3 }, truncated: true })
    const long = { baseline: list('中'.repeat(900)), candidate: list('文'.repeat(900)) }
    const many = (await judged({}, long, 100)) as { readonly breaks: readonly unknown[] }
    expect(many).toMatchObject({ counts: { breaks: 500 }, truncated: true })
    expect(many.breaks.length).toBeGreaterThan(5)
    expect(Buffer.byteLength(JSON.stringify(many.breaks))).toBeLessThan(66_000)
  })

  it('lists what fits behind a break that does not, and shortens long pointers', async () => {
    const key = 'k'.repeat(70_000)
    const list = (text: string, last: number) =>
      JSON.stringify({ [key]: last, a: Array(20).fill(text), b: last })
    const documents = { baseline: list('中'.repeat(900), 1), candidate: list('文'.repeat(900), 2) }
    const { breaks, truncated } = (await judged({}, documents)) as {
      readonly breaks: readonly { readonly pointer: string }[]
      readonly truncated: boolean
    }
    expect(truncated).toBe(true)
    expect(breaks.map(({ pointer }) => pointer)).toEqual(
      expect.arrayContaining([`/${'k'.repeat(999)}…`, '/a/0', '/b']),
    )
    expect(breaks.length).toBeLessThan(22)
  })

  it('without a candidate is read, with its schema', async () => {
    expect(await judged({ order: 'insignificant', schema: { type: 'object' } }, {})).toEqual({})
    const named = { schema: { snippet: '@s' } }
    expect(await judged(named, { schema: '{"type":"object"}' })).toEqual({})
    await expect(judged(named, {})).rejects.toMatchObject(wrong('/schema/snippet'))
    await expect(judged(named, { schema: '{"type":"thing"}' })).rejects.toMatchObject(
      wrong('/schema/snippet'),
    )
    await expect(judged({ schema: { items: { type: 'thing' } } }, {})).rejects.toMatchObject(
      wrong('/schema/items/type'),
    )
    await expect(judged({ pattern: [{ path: '/a', matches: '(?=a)' }] }, {})).rejects.toMatchObject({
      ...wrong('/pattern/0/matches'),
      message: expect.stringContaining('look-around'),
    })
    await expect(judged({ surprise: 1 }, {})).rejects.toMatchObject(wrong('/surprise'))
  })

  it('that cannot be about its documents is a mistake in the rules', async () => {
    const documents = { baseline: 'id,n\n1,2\n', candidate: 'id,n\n1,2\n' }
    await expect(judged({ schema: true }, documents)).rejects.toMatchObject(wrong('/schema'))
  })

  it('refuses documents that are too deep, as comparisons do', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    await expect(judged({}, { baseline: deep, candidate: deep })).rejects.toMatchObject({
      code: 'validation_failed',
      details: { errors: [{ pointer: '', code: 'too_deep' }] },
    })
  })

  it('that costs too much ends in time, and the service goes on', async () => {
    changed = { workMs: 300 }
    const text = JSON.stringify('a'.repeat(2_000_000))
    const pattern = Array.from({ length: 900 }, () => ({ path: '', matches: '(a?){80}a$' }))
    await expect(judged({ pattern }, { candidate: text })).rejects.toMatchObject({
      kind: 'too-large',
      code: 'compare_too_large',
      message: expect.stringContaining('snipkeep diff A B --contract FILE'),
    })
    changed = {}
    expect(await judged({}, { candidate: '1' })).toMatchObject({ verdict: 'new' })
    expect(await run(minify, ['[ 1 ]'])).toBe('[1]')
  })

  it('whose schema would double its work at each step is a mistake', async () => {
    const levels = Array.from({ length: 40 }, (_level, at) => {
      const next = { $ref: `#/$defs/l${at + 1}` }
      return [`l${at}`, { not: { not: { anyOf: [{ not: next }, next] } } }]
    })
    const $defs = { ...Object.fromEntries(levels), l40: { oneOf: [true, true] } }
    const error = await judged({ schema: { $ref: '#/$defs/l0', $defs } }, {}).catch((thrown) => thrown)
    expect(error).toMatchObject({ details: { pointer: expect.stringMatching(/^\/schema/) } })
  })

  it('with a baseline alone is refused', async () => {
    await expect(judged({}, { baseline: '1' })).rejects.toMatchObject({ code: 'validation_failed' })
  })
})
