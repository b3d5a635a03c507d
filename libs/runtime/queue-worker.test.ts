import { setTimeout as sleep } from 'node:timers/promises'
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
  await sleep(20)
  expect(done).toEqual([1, 2, 3])
  expect(claims).toBe(3)
  waiting.push([4])
  worker.wake()
  await sleep(20)
  expect(done).toEqual([1, 2, 3, 4])
  await worker.stop()
  waiting.push([5])
  worker.wake()
  await sleep(20)
  expect(done).toEqual([1, 2, 3, 4])
})

it('survives failures of the work and of the queue, and stops when the work in progress has ended', async () => {
  let claims = 0
  const done: string[] = []
  const worker = queueWorker('faults', 5, log, {
    claim: async () => {
      claims += 1
      if (claims === 1) throw new Error('no database')
      return claims < 4 ? [claims] : []
    },
    work: async (item: number) => {
      if (item === 2) throw new Error('failed')
      await sleep(30)
      done.push(`${item}`)
    },
  })
  await sleep(35)
  await worker.stop()
  expect(done).toEqual(['3'])
})
