import { expect, it } from 'vitest'
import { unavailable, validationFailed } from '#libs/core/domain-error.js'
import type { ContentEvent } from '../domain/content-event.js'
import { shareDraft } from '../testing/content-fixture.js'
import { memoryFixture } from '../testing/memory-fixture.js'
import { deliverEvents } from './deliver-events.js'

async function withShares(count: number) {
  const fixture = memoryFixture()
  for (let n = 0; n < count; n += 1)
    await fixture.ports.shares.add(shareDraft(fixture, { title: `share ${n}` }), () => null, null)
  const { outbox } = fixture.ports
  const refused: ContentEvent[] = []
  const deliver = async (record: (events: readonly ContentEvent[]) => Promise<void>) =>
    deliverEvents({ outbox, recorder: { record } }, await outbox.claim(100, 1_000), (event) =>
      refused.push(event),
    )
  const waiting = async () => {
    await fixture.passTime(60_000)
    return (await outbox.claim(100, 0)).map(({ detail }) => detail.title)
  }
  return { deliver, refused, waiting }
}

it('recorded events leave the outbox', async () => {
  const { deliver, waiting } = await withShares(3)
  const recorded: unknown[] = []
  await deliver(async (events) => void recorded.push(...events.map(({ detail }) => detail.title)))
  expect(recorded).toEqual(['share 0', 'share 1', 'share 2'])
  expect(await waiting()).toEqual([])
})

it('events stay in the outbox when identity does not respond, or fails unexpectedly', async () => {
  for (const failure of [unavailable('Try again.'), new Error('UNIMPLEMENTED')]) {
    const { deliver, refused, waiting } = await withShares(2)
    await expect(deliver(() => Promise.reject(failure))).rejects.toBe(failure)
    expect(refused).toEqual([])
    expect(await waiting()).toEqual(['share 0', 'share 1'])
  }
})

it('an event that identity rejects is dropped alone, and the rest of its batch is recorded', async () => {
  const { deliver, refused, waiting } = await withShares(3)
  const recorded: unknown[] = []
  await deliver(async (events) => {
    if (events.some(({ detail }) => detail.title === 'share 1')) throw validationFailed([])
    recorded.push(...events.map(({ detail }) => detail.title))
  })
  expect(recorded).toEqual(['share 0', 'share 2'])
  expect(refused.map(({ detail }) => detail.title)).toEqual(['share 1'])
  expect(await waiting()).toEqual([])
})
