import { expect, it } from 'vitest'
import type { Announced } from '#libs/core/announced.js'
import { shareId } from '../domain/ids.js'
import { ann, bob, documentData, shareDraft } from '../testing/content-fixture.js'
import { memoryFixture } from '../testing/memory-fixture.js'
import { withdrawShare, withdrawSharesOf } from './withdraw-shares.js'

const never = () => null

function operated(outcomes: readonly Announced[] = []) {
  const fixture = memoryFixture()
  const { shares } = fixture.ports
  const notified: string[] = []
  const readers = {
    async announce(id: string) {
      notified.push(id)
      return outcomes[notified.length - 1] ?? ('told' as const)
    },
  }
  return { fixture, shares, notified, ports: { shares, readers } }
}

it('a withdrawn share is unknown, no longer counts, orphans its document, and is announced', async () => {
  const { fixture, shares, notified, ports } = operated()
  const data = await documentData(fixture, ann, '{"a":1}')
  const { id } = await shares.add(shareDraft(fixture, { data }), never, null)
  expect(await withdrawShare(ports, id)).toBe('told')
  expect(notified).toEqual([id])
  expect(await shares.find(id, false)).toBeNull()
  expect(await shares.countLive(ann)).toBe(0)
  expect(await fixture.ports.registry.findNamed(data.id)).toBeNull()
})

it('withdrawing an unknown share fails with not_found and announces nothing', async () => {
  const { ports, notified } = operated()
  await expect(withdrawShare(ports, shareId('nothing'))).rejects.toMatchObject({ code: 'not_found' })
  expect(notified).toEqual([])
})

it("withdrawing an owner's shares deletes all of them, even tombstones, and no one else's", async () => {
  const { fixture, shares, notified, ports } = operated()
  for (let made = 0; made < 205; made += 1) await shares.add(shareDraft(fixture), never, null)
  const soon = (now: Date): Date => new Date(now.getTime() + 1_000)
  const short = await shares.add(shareDraft(fixture), soon, null)
  const other = await shares.add(shareDraft(fixture, { ownerId: bob }), never, null)
  await fixture.passTime(2_000)
  await shares.purgeExpired(10)
  expect(await withdrawSharesOf(ports, ann)).toEqual({ withdrawn: 206, announced: 'told' })
  expect(new Set(notified).size).toBe(206)
  expect(await shares.find(short.id, false)).toBeNull()
  expect(await shares.find(other.id, false)).not.toBeNull()
  expect(await withdrawSharesOf(ports, ann)).toEqual({ withdrawn: 0, announced: null })
})

it('one failed announcement is reported even if the others succeeded', async () => {
  const { fixture, shares, ports } = operated(['told', 'unreachable', 'told'])
  for (let made = 0; made < 3; made += 1) await shares.add(shareDraft(fixture), never, null)
  expect(await withdrawSharesOf(ports, ann)).toEqual({ withdrawn: 3, announced: 'unreachable' })
})
