import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createKeyedQueue } from './keyed-queue.js'

it('runs the work of a key in order, one at a time, even after a failure', async () => {
  const queue = createKeyedQueue()
  const seen: string[] = []
  const step = (name: string, fails = false) =>
    queue.run('a', async () => {
      seen.push(`${name} begins`)
      await turn()
      seen.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })
  const results = await Promise.allSettled([step('1'), step('2', true), step('3')])
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : null))).toEqual([
    '1',
    null,
    '3',
  ])
  expect(seen).toEqual(['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends'])
})

it('runs different keys in parallel, and drops idle ones', async () => {
  const queue = createKeyedQueue()
  let open = (): void => undefined
  const shut = new Promise<void>((resolve) => {
    open = resolve
  })
  const slow = queue.run('a', () => shut)
  expect(await queue.run('b', async () => 'b')).toBe('b')
  open()
  await slow
  expect(await queue.run('a', async () => 'a again')).toBe('a again')
})

it('fails all waiting work on a shared failure, and runs later work again', async () => {
  const queue = createKeyedQueue((failure) => failure instanceof RangeError)
  let runs = 0
  const work = (failure: Error | null) => async () => {
    runs += 1
    await turn()
    if (failure !== null) throw failure
  }
  const broken = new RangeError('the database hangs')
  const own = new Error('a mistake')
  const results = await Promise.allSettled([
    queue.run('a', work(own)),
    queue.run('a', work(broken)),
    queue.run('a', work(null)),
    queue.run('a', work(null)),
    queue.run('b', work(null)),
  ])
  expect(results.map((result) => (result.status === 'rejected' ? result.reason : 'done'))).toEqual([
    own,
    broken,
    broken,
    broken,
    'done',
  ])
  expect(runs).toBe(3)
  await queue.run('a', work(null))
  expect(runs).toBe(4)
})
