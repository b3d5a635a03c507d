import { EventEmitter, once } from 'node:events'
import { expect, it } from 'vitest'
import { createLogger } from '../log/logger.js'
import { queueWorker } from './queue-worker.js'

const log = createLogger('test', 'silent')

it('processes existing work without a pause, in parallel within a claim, and new work when woken', async () => {
  const waiting = [[1, 2], [3], []]
  const done: number[] = []
  let claims = 0
  const worker = queueWorker('numbers', 60_000, log, {
    claim: async () => {
      claims += 1
      return waiting.shift() ?? []
    },
    work: async (item: number) => {
      done.push(item)
    },
  })
  await expect.poll(() => claims).toBe(3)
  expect(done).toEqual([1, 2, 3])
  waiting.push([4])
  worker.wake()
  await expect.poll(() => claims).toBe(5)
  expect(done).toEqual([1, 2, 3, 4])
  await worker.stop()
  waiting.push([5])
  worker.wake()
  await worker.stop()
  expect(claims).toBe(5)
  expect(done).toEqual([1, 2, 3, 4])
})

it('survives failures of the work and of the queue, and stops when the work in progress has ended', async () => {
  let claims = 0
  const done: string[] = []
  const events = new EventEmitter()
  const started = once(events, 'started')
  const worker = queueWorker('faults', 5, log, {
    claim: async () => {
      claims += 1
      if (claims === 1) throw new Error('no database')
      return claims < 4 ? [claims] : []
    },
    work: async (item: number) => {
      if (item === 2) throw new Error('failed')
      events.emit('started')
      await once(events, 'released')
      done.push(`${item}`)
    },
  })
  await started
  let stopped = false
  const stopping = worker.stop().then(() => {
    stopped = true
  })
  await new Promise(setImmediate)
  expect(stopped).toBe(false)
  events.emit('released')
  await stopping
  expect(done).toEqual(['3'])
  expect(claims).toBe(3)
})
