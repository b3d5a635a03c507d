import { expect, test, vi } from 'vitest'
import { createLogger } from '../log/logger.js'
import { metrics } from '../telemetry/catalogue.js'
import { logOutages } from './redis-connection.js'
import { NodeRefused } from './refused-node.js'

test('an outage is one log line, one count, and a connection that is down until it is back', async () => {
  const said: string[] = []
  const outages = logOutages({
    warn: (_fields: object, line?: string) => said.push(String(line)),
    info: (_fields: object, line?: string) => said.push(String(line)),
  })
  const before = (await metrics.redisOutages.collect())[0]?.value ?? 0
  const read = async () => {
    const [[up], [began]] = [await metrics.redisUp.collect(), await metrics.redisOutages.collect()]
    return [up?.value, (began?.value ?? 0) - before]
  }
  outages.end()
  expect(await read()).toEqual([1, 0])
  for (let n = 0; n < 3; n += 1) outages.begin(new Error('gone'))
  expect(await read()).toEqual([0, 1])
  outages.end()
  expect(await read()).toEqual([1, 1])
  expect(said).toEqual(['Redis cannot be reached', 'Redis can be reached again'])
})

/** The parsed lines of the log of outages. */
function logged() {
  const lines: Record<string, unknown>[] = []
  const log = createLogger('test', 'info', { write: (line) => lines.push(JSON.parse(line)) })
  return { outages: logOutages(log), lines }
}

test('the line of an outage names its reason', () => {
  const { outages, lines } = logged()
  outages.end()
  outages.begin(Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' }))
  expect(lines).toMatchObject([
    {
      event: 'redis_down',
      level: 'warn',
      err: { type: 'Error', message: 'connect ECONNREFUSED 127.0.0.1:6379', code: 'ECONNREFUSED' },
    },
  ])
})

test('a node that cannot be used is named at once, with what to do', () => {
  const { outages, lines } = logged()
  outages.begin(new NodeRefused('it is a read-only replica', 'set REDIS_URL to the primary', {}))
  expect(lines).toMatchObject([{ event: 'redis_down', remedy: 'set REDIS_URL to the primary' }])
})

test('a first connection that succeeds within a second of its first error was no outage', () => {
  vi.useFakeTimers()
  try {
    const { outages, lines } = logged()
    outages.begin(new Error('Connection timeout'))
    outages.begin(new Error('Connection timeout'))
    vi.advanceTimersByTime(900)
    outages.end()
    vi.advanceTimersByTime(5_000)
    expect(lines).toEqual([])

    const down = logged()
    down.outages.begin(new Error('refused'))
    vi.advanceTimersByTime(900)
    down.outages.begin(new Error('refused again'))
    expect(down.lines).toEqual([])
    vi.advanceTimersByTime(100)
    down.outages.end()
    expect(down.lines).toMatchObject([
      { event: 'redis_down', err: { message: 'refused' } },
      { event: 'redis_up' },
    ])

    const closed = logged()
    closed.outages.begin(new Error('refused'))
    closed.outages.close()
    vi.advanceTimersByTime(5_000)
    expect(closed.lines).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})
