import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createKeyedQueue, keyedBatches } from './keyed-queue.js'

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

type Settled = PromiseSettledResult<string>

/** Batches that end on request, and their requests. */
function openBatches(maxBatchSize = 10) {
  const queue = createKeyedQueue((failure) => failure instanceof RangeError)
  const batches: { requests: readonly string[]; end(how?: (request: string) => Settled): void }[] = []
  const run = keyedBatches<string, string>(
    queue,
    maxBatchSize,
    (requests) =>
      new Promise((resolve) => {
        const done = (value: string): Settled => ({ status: 'fulfilled', value })
        batches.push({ requests, end: (how = done) => resolve(requests.map(how)) })
      }),
  )
  const batch = async (index: number) => {
    await expect.poll(() => batches.length).toBeGreaterThan(index)
    return batches[index] as (typeof batches)[number]
  }
  return { queue, run, batch }
}

it('requests waiting for the same key are batched, in order', async () => {
  const { run, batch } = openBatches()
  const first = run('a', '1')
  await batch(0)
  const rest = [run('a', '2'), run('a', '3')]
  ;(await batch(0)).end()
  expect(await first).toBe('1')
  const second = await batch(1)
  expect(second.requests).toEqual(['2', '3'])
  second.end()
  expect(await Promise.all(rest)).toEqual(['2', '3'])
})

it('keys do not wait for each other, and other work of a key takes its turn', async () => {
  const { queue, run, batch } = openBatches()
  const a = run('a', '1')
  const b = run('b', '2')
  const order: string[] = []
  const work = queue.run('a', async () => order.push('work'))
  ;(await batch(1)).end()
  expect(await b).toBe('2')
  expect(order).toEqual([])
  ;(await batch(0)).end()
  await Promise.all([a, work])
  expect(order).toEqual(['work'])
})

it('a batch is no larger than allowed', async () => {
  const { run, batch } = openBatches(2)
  const all = ['1', '2', '3', '4', '5'].map((one) => run('a', one))
  for (const [index, requests] of [['1', '2'], ['3', '4'], ['5']].entries()) {
    const next = await batch(index)
    expect(next.requests).toEqual(requests)
    next.end()
  }
  expect(await Promise.all(all)).toEqual(['1', '2', '3', '4', '5'])
})

it('a request fails alone; requests behind it fail only with errors that affect them', async () => {
  const { run, batch } = openBatches()
  const failing =
    (reason: Error) =>
    (request: string): Settled =>
      request === 'bad' ? { status: 'rejected', reason } : { status: 'fulfilled', value: request }
  const first = Promise.allSettled([run('a', 'good'), run('a', 'bad')])
  const firstBatch = await batch(0)
  const next = run('a', 'next')
  firstBatch.end(failing(new TypeError('alone')))
  expect((await first).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  const nextBatch = await batch(1)
  const behind = run('a', 'behind')
  nextBatch.end((): Settled => ({ status: 'rejected', reason: new RangeError('for all') }))
  await expect(next).rejects.toThrow('for all')
  await expect(behind).rejects.toThrow('for all')
  const again = run('a', 'again')
  ;(await batch(2)).end()
  expect(await again).toBe('again')
})
