import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { metrics } from '../telemetry/catalogue.js'
import { watchOutages } from './redis-outages.js'

test('an outage is one line, one more on the counter, and a connection that is not up until it is back', () => {
  const client = new EventEmitter()
  const said: string[] = []
  watchOutages(client, {
    warn: (_fields: object, line?: string) => said.push(String(line)),
    info: (line: unknown) => said.push(String(line)),
  })
  const outages = metrics.redisOutages.series()
  const up = metrics.redisUp.series()
  const before = outages.value
  client.emit('ready')
  expect(up.value).toBe(1)
  for (let n = 0; n < 3; n += 1) client.emit('error', new Error('gone'))
  expect([up.value, outages.value - before]).toEqual([0, 1])
  client.emit('ready')
  expect([up.value, outages.value - before]).toEqual([1, 1])
  expect(said).toEqual(['Redis cannot be reached', 'Redis can be reached again'])
})
