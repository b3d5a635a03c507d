import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
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
