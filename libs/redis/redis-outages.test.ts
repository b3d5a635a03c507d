import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import { createLogger } from '../log/logger.js'
import { metrics } from '../telemetry/catalogue.js'
import { watchOutages } from './redis-outages.js'

test('an outage is one log line, one count, and a connection that is down until it is back', async () => {
  const client = new EventEmitter()
  const said: string[] = []
  watchOutages(client, {
    warn: (_fields: object, line?: string) => said.push(String(line)),
    info: (_fields: object, line?: string) => said.push(String(line)),
  })
  const before = (await metrics.redisOutages.collect())[0]?.value ?? 0
  const read = async () => {
    const [[up], [outages]] = [await metrics.redisUp.collect(), await metrics.redisOutages.collect()]
    return [up?.value, (outages?.value ?? 0) - before]
  }
  client.emit('ready')
  expect(await read()).toEqual([1, 0])
  for (let n = 0; n < 3; n += 1) client.emit('error', new Error('gone'))
  expect(await read()).toEqual([0, 1])
  client.emit('ready')
  expect(await read()).toEqual([1, 1])
  expect(said).toEqual(['Redis cannot be reached', 'Redis can be reached again'])
})

/** The parsed lines of the log for what happens to a client. */
function watched() {
  const client = new EventEmitter()
  const lines: Record<string, unknown>[] = []
  watchOutages(client, createLogger('test', 'info', { write: (line) => lines.push(JSON.parse(line)) }))
  return { client, lines }
}

test('the line of an outage names its reason', () => {
  const { client, lines } = watched()
  client.emit('ready')
  client.emit(
    'error',
    Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' }),
  )
  expect(lines).toMatchObject([
    {
      event: 'redis_down',
      level: 'warn',
      err: { type: 'Error', message: 'connect ECONNREFUSED 127.0.0.1:6379', code: 'ECONNREFUSED' },
    },
  ])
})

test('a first connection that succeeds within a second of its first error was no outage', () => {
  vi.useFakeTimers()
  try {
    const { client, lines } = watched()
    client.emit('error', new Error('Connection timeout'))
    client.emit('error', new Error('Connection timeout'))
    vi.advanceTimersByTime(900)
    client.emit('ready')
    vi.advanceTimersByTime(5_000)
    expect(lines).toEqual([])

    const down = watched()
    down.client.emit('error', new Error('refused'))
    vi.advanceTimersByTime(900)
    down.client.emit('error', new Error('refused again'))
    expect(down.lines).toEqual([])
    vi.advanceTimersByTime(100)
    down.client.emit('ready')
    expect(down.lines).toMatchObject([
      { event: 'redis_down', err: { message: 'refused' } },
      { event: 'redis_up' },
    ])

    const closed = watched()
    closed.client.emit('error', new Error('refused'))
    closed.client.emit('end')
    vi.advanceTimersByTime(5_000)
    expect(closed.lines).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})
