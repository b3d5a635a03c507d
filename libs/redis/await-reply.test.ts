import { describe, expect, it } from 'vitest'
import { awaitReply, NoReply } from './await-reply.js'
import { createEventLoopLag } from './event-loop-lag.js'

const lag = createEventLoopLag()

/** Blocks the event loop, as a long computation would. */
function pause(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

const never = new Promise<string>(() => {})

describe('waiting for a reply', () => {
  it('passes on a timely reply, errors included', async () => {
    expect(await awaitReply(Promise.resolve('a'), 1_000, lag)).toBe('a')
    await expect(awaitReply(Promise.reject(new Error('refused')), 1_000, lag)).rejects.toThrow('refused')
  })

  it('ends at the timeout', async () => {
    const askedAt = performance.now()
    await expect(awaitReply(never, 40, lag)).rejects.toBeInstanceOf(NoReply)
    expect(performance.now() - askedAt).toBeGreaterThanOrEqual(39)
  })

  it('extends the timeout after a pause of our own, but not for ever', async () => {
    const reply = new Promise<string>((resolve) => setImmediate(() => setTimeout(() => resolve('late'), 1)))
    const waiting = awaitReply(reply, 40, lag)
    pause(80)
    expect(await waiting).toBe('late')
    const noReply = awaitReply(never, 40, lag)
    pause(80)
    const resumedAt = performance.now()
    await expect(noReply).rejects.toBeInstanceOf(NoReply)
    expect(performance.now() - resumedAt).toBeLessThan(10_000)
  })
})
