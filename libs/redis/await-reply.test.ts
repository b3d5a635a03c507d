import { describe, expect, it } from 'vitest'
import { awaitReply, NoReply } from './await-reply.js'
import { createEventLoopLag } from './event-loop-lag.js'

const lag = createEventLoopLag()

/** Keeps the event loop from doing anything, as a long computation does. */
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

  it('does not mistake our own pause for silence, nor wait forever after one', async () => {
    const reply = new Promise<string>((resolve) => setImmediate(() => setTimeout(() => resolve('late'), 1)))
    const waiting = awaitReply(reply, 40, lag)
    pause(80)
    expect(await waiting).toBe('late')
    const inVain = awaitReply(never, 40, lag)
    pause(80)
    const resumedAt = performance.now()
    await expect(inVain).rejects.toBeInstanceOf(NoReply)
    expect(performance.now() - resumedAt).toBeLessThan(2_000)
  })
})
