import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { startRelay } from '../../testing/relay.js'
import { closeAll, closing, connect, gate, reasonOf, serve } from '../testing/carried-echo.js'

afterEach(closeAll)

/** Two replicas, one behind a relay; calls go to both until the relayed one has this many, and holds them. */
async function openReplicas(isRetryable: boolean, heldMin: number) {
  const [held, here] = [gate(), { calls: 0 }]
  const relayed = await serve(async () => {
    here.calls += 1
    await held.opened
    return 'relayed'
  })
  const relay = await startRelay(relayed.port)
  closing.push(relay.close)
  const other = await serve(async () => 'other')
  const target = `ipv4:127.0.0.1:${relay.port},127.0.0.1:${other.port}`
  const connected = connect(target, { isRetryable })
  const calls: Promise<string>[] = []
  while (here.calls < heldMin) {
    calls.push(connected.ask('a'), connected.ask('b'))
    // The channel chooses a replica for each stream.
    connected.carrier.close()
    await turn()
  }
  return { ...connected, calls, relay, relayed, held, here }
}

describe('when one of two replicas', () => {
  it('dies, calls that may be retried succeed at the other one', async () => {
    const { calls, relay, alone } = await openReplicas(true, 4)
    relay.close()
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['other']))
    expect(alone()).toBeGreaterThanOrEqual(4)
  })

  it('dies, other calls to it are unavailable, and none hangs', async () => {
    const { calls, relay, alone } = await openReplicas(false, 4)
    relay.close()
    const results = await Promise.allSettled(calls)
    const lost = results.filter(({ status: how }) => how === 'rejected')
    expect(lost.length).toBeGreaterThanOrEqual(4)
    for (const result of lost) expect(reasonOf(result)).toMatchObject({ kind: 'unavailable' })
    expect(alone()).toBe(0)
  })

  it('shuts down, its calls end there and further ones go to the other', async () => {
    const { calls, relayed, held, here, ask } = await openReplicas(false, 2)
    const stopped = relayed.stop()
    held.open()
    await stopped
    expect(new Set(await Promise.all(calls))).toContain('relayed')
    const before = here.calls
    for (let round = 0; round < 20; round += 1) expect(await ask('c')).toBe('other')
    expect(here.calls).toBe(before)
  })
})
