import { describe, expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import {
  Accept,
  type CreateCheckRequest,
  type GetBaselineResponse,
  Verdict,
} from '#proto/snipkeep/content/v1/check_service.js'
import type { ByteSource } from '../../body/body-bytes.js'
import type { Caller, RequestContext } from '../../request/request-context.js'
import type { JobOrder } from '../tools/jobs.js'
import { type CreateCheckDependencies, checkAnnounced, judgeAndKeep } from './create-check.js'

type Done = (error: unknown, response?: unknown) => void

const unary =
  <Request>(act: (request: Request) => unknown) =>
  (request: Request, _metadata: object, _options: object, done: Done) => {
    try {
      done(null, act(request))
    } catch (error) {
      done(error)
    }
  }

const inline = (text: string) => ({ $case: 'inline', value: Buffer.from(text) }) as const

function sourceOf(text: string): ByteSource {
  const chunks = [Buffer.from(text)]
  return { next: async () => chunks.shift() ?? null, stop: () => {} }
}

async function textOf(source: ByteSource): Promise<string> {
  const chunks: Buffer[] = []
  for (let chunk = await source.next(); chunk !== null; chunk = await source.next()) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const same = { verdict: 'same', as: 'json', counts: { breaks: 0, allowed: 0 }, breaks: [], truncated: false }

interface World {
  /** By the number of the call. */
  baseline?: (call: number) => Partial<GetBaselineResponse>
  judged?: object
  create?: (call: number) => void
  snippets?: Readonly<Record<string, string>>
  bytesMax?: number
  /** Gets what the budget is asked for, and what it gets back. */
  spent?: (bytes: number) => void
}

/** Content and tools as far as a check needs them, and what they were asked. */
function worldOf({
  baseline,
  judged = same,
  create,
  snippets = {},
  bytesMax = 1_000,
  spent = () => {},
}: World) {
  const orders: { job: JobOrder['job']; inputs: string[] }[] = []
  const created: CreateCheckRequest[] = []
  let reads = 0
  const dependencies = {
    compareBytesMax: bytesMax,
    documentReads: {
      pointerBudget: {
        async spend(_reader: object, bytes: number) {
          spent(bytes)
          return () => spent(-bytes)
        },
      },
    },
    async readSnippet({ id }: { id: string }) {
      const text = snippets[id]
      if (text === undefined) throw new DomainError('not-found', 'not_found', 'This snippet does not exist.')
      return { snippet: { data: inline(text), sizeBytes: text.length }, text: null }
    },
    runJob({ job, inputs }: JobOrder): ByteSource {
      let output: ByteSource | null = null
      const run = async () => {
        orders.push({ job, inputs: await Promise.all(inputs.map(textOf)) })
        return sourceOf(JSON.stringify(judged))
      }
      return {
        async next() {
          output ??= await run()
          return output.next()
        },
        stop: () => {},
      }
    },
    upstreams: {
      checks: {
        getBaseline: unary(() => {
          reads += 1
          return { snippet: undefined, rules: '', contractVersion: 0, ...baseline?.(reads) }
        }),
        createCheck: unary((request: CreateCheckRequest) => {
          created.push(request)
          create?.(created.length)
          return { check: { id: 'c' }, replayed: false }
        }),
      },
    },
  } as unknown as CreateCheckDependencies
  return { dependencies, orders, created }
}

const sender = { accountId: 'a', plan: 'pro', provenBy: { kind: 'identity-token' } } as unknown as Caller
const candidate = {
  ...{ fields: {}, sender, idempotencyKey: '', isRepeated: false, secrets: [] },
  ...{ data: { source: inline('{"v":2}') }, dataBytes: 7, discard: async () => {} },
}

const contextOf = (query = ''): RequestContext =>
  ({
    ...{ requestId: 'r', signal: new AbortController().signal, clientAddress: '' },
    ...{ params: { id: '@prices' }, search: new URLSearchParams(query) },
  }) as unknown as RequestContext

const version = (revision: number, text = '{"v":1}') =>
  ({
    snippet: {
      ...{ id: 's', tool: 'csv', title: 'Prices', revision },
      ...{ data: inline(text), sizeBytes: text.length },
    },
  }) as unknown as GetBaselineResponse

const changed = new DomainError('precondition-failed', 'baseline_changed', 'It has changed.')

describe('a candidate', () => {
  it('is judged by the current version and the contract', async () => {
    const rules = '{"ignore":["/at"],"schema":{"snippet":"@prices.schema"}}'
    const { dependencies, orders, created } = worldOf({
      baseline: () => ({ ...version(4), rules, contractVersion: 2 }),
      snippets: { '@prices.schema': '{"type":"object"}' },
    })
    await judgeAndKeep(dependencies, contextOf('accept=allowed&source=https://ci.example/7'), candidate)
    expect(orders).toEqual([
      {
        job: {
          $case: 'contract',
          value: {
            ...{ rules: Buffer.from(rules), limit: 100 },
            ...{ hasBaseline: true, hasCandidate: true, hasSchema: true },
          },
        },
        inputs: ['{"v":1}', '{"v":2}', '{"type":"object"}'],
      },
    ])
    expect(created).toMatchObject([
      {
        ...{ id: '@prices', tool: '', title: '', accept: Accept.ACCEPT_ALLOWED },
        source: 'https://ci.example/7',
        judgement: { verdict: Verdict.VERDICT_SAME, baselineVersion: 4, contractVersion: 2, breaks: '[]' },
      },
    ])
  })

  it('is judged again by what is current if that has changed meanwhile', async () => {
    const { dependencies, orders, created } = worldOf({
      baseline: (call) => version(call, `{"v":${call}}`),
      create: (call) => {
        if (call <= 5) throw changed
      },
    })
    expect(await judgeAndKeep(dependencies, contextOf(), candidate)).toMatchObject({ check: { id: 'c' } })
    expect(orders.map(({ inputs }) => inputs[0])).toEqual([1, 2, 3, 4, 5, 6].map((v) => `{"v":${v}}`))
    expect(created.map(({ judgement }) => judgement?.baselineVersion)).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('whose baseline changes all the time is refused with 503', async () => {
    const { dependencies, created } = worldOf({
      baseline: version,
      create: () => {
        throw changed
      },
    })
    const judging = judgeAndKeep(dependencies, contextOf(), candidate)
    await expect(judging).rejects.toMatchObject({ kind: 'unavailable', details: { retry_after: 1 } })
    expect(created).toHaveLength(6)
  })

  it('that is judged again is paid for once, and not at all if it is refused with 503', async () => {
    const large = `{"v":"${'x'.repeat(70_000)}"}`
    const payments = async (changes: number): Promise<number[]> => {
      const seen: number[] = []
      const { dependencies } = worldOf({
        ...{
          bytesMax: 1_000_000,
          baseline: (call) => version(call, large),
          spent: (bytes) => seen.push(bytes),
        },
        create: (call) => {
          if (call <= changes) throw changed
        },
      })
      await judgeAndKeep(dependencies, contextOf(), candidate).catch(() => {})
      return seen
    }
    const paid = large.length + candidate.dataBytes
    expect(await payments(5)).toEqual([paid])
    expect(await payments(6)).toEqual([paid, -paid])
  })

  it('that an earlier request has stored is not judged: the response is that of the earlier one', async () => {
    const { dependencies, orders, created } = worldOf({ baseline: () => version(1) })
    await judgeAndKeep(dependencies, contextOf(), { ...candidate, isRepeated: true, idempotencyKey: 'k' })
    expect([orders.length, created.length]).toEqual([0, 1])
  })

  it('of a name that no snippet has is judged without a baseline', async () => {
    const { dependencies, orders, created } = worldOf({ judged: { ...same, verdict: 'new' } })
    await judgeAndKeep(dependencies, contextOf(), { ...candidate, fields: { tool: 'csv' } })
    expect(orders).toMatchObject([
      { job: { value: { hasBaseline: false, rules: Buffer.from('{}') } }, inputs: ['{"v":2}'] },
    ])
    expect(created).toMatchObject([
      { tool: 'csv', title: '', judgement: { verdict: Verdict.VERDICT_NEW, baselineVersion: 0 } },
    ])
  })

  it('keeps what breaks as it was listed', async () => {
    const breaks = [{ pointer: '/v', rule: 'value', baseline: '1.0', candidate: '2', message: 'é' }]
    const judged = {
      ...same,
      verdict: 'breaks',
      counts: { breaks: 700, allowed: 3 },
      breaks,
      truncated: true,
    }
    const { dependencies, created } = worldOf({ baseline: () => version(1), judged })
    await judgeAndKeep(dependencies, contextOf(), candidate)
    expect(created[0]?.judgement).toEqual({
      ...{ verdict: Verdict.VERDICT_BREAKS, as: 'json', breaks: JSON.stringify(breaks), truncated: true },
      ...{ breakCount: 700, allowedCount: 3, baselineVersion: 1, contractVersion: 0 },
    })
  })

  it('is refused if it and its baseline are larger than the server compares, before a job runs', async () => {
    const { dependencies, orders } = worldOf({ baseline: () => version(1), bytesMax: 13 })
    await expect(judgeAndKeep(dependencies, contextOf(), candidate)).rejects.toMatchObject({
      code: 'compare_too_large',
      details: { limit: 13, actual: 14 },
    })
    expect(orders).toEqual([])
  })

  it.each(['@gone', 'no name'])('is not judged without the schema of its contract: %s', async (snippet) => {
    const rules = JSON.stringify({ schema: { snippet } })
    const { dependencies, orders } = worldOf({ baseline: () => ({ ...version(1), rules }) })
    await expect(judgeAndKeep(dependencies, contextOf(), candidate)).rejects.toMatchObject({
      ...{ kind: 'invalid', code: 'validation_failed' },
      details: { pointer: '/schema/snippet' },
    })
    expect(orders).toEqual([])
  })
})

describe('a candidate that has not been received', () => {
  const head = (declared: number | null, more: object = {}, idempotencyKey = '') =>
    ({
      ...{ headers: { gzip: false, declared, waits: false, ...more }, idempotencyKey },
      rules: { dataAlone: true },
    }) as Parameters<typeof checkAnnounced>[2]
  const outcome = (sizeBytes: number | null, announced: ReturnType<typeof head>): unknown => {
    try {
      checkAnnounced({ compareBytesMax: 100_000 }, sizeBytes === null ? null : { sizeBytes }, announced)
      return 'is received'
    } catch (error) {
      return error instanceof DomainError ? [error.code, error.details.actual] : error
    }
  }

  it('is refused if the current version and the declared length are more than the server judges', () => {
    expect(outcome(40_000, head(60_000))).toBe('is received')
    expect(outcome(40_000, head(60_001))).toEqual(['compare_too_large', 100_001])
    expect(outcome(100_001, head(null))).toEqual(['compare_too_large', 100_001])
  })

  it('is received as long as it may fit, and if it may be a retry', () => {
    const withFields = { ...head(60_001), rules: {} } as ReturnType<typeof head>
    expect(outcome(40_000, withFields)).toBe('is received')
    expect(outcome(40_000, head(60_001, { gzip: true }))).toBe('is received')
    expect(outcome(100_001, head(60_001, {}, 'key'))).toBe('is received')
    expect(outcome(null, head(60_001))).toBe('is received')
  })
})
