import { beforeEach, describe, expect, it } from 'vitest'
import { type AccountId, newIdentity } from '../domain/account.js'
import type { JobDecision } from '../domain/authorize-job.js'
import type { TrustedPublisher } from '../domain/trusted-publisher.js'
import type { EventStore } from '../ports.js'
import { randomIds } from './random-identity-ids.js'
import type { TrustedPublisherFixture } from './trusted-publisher-store-contract.js'

const profile = { email: null, emailVerified: false, name: null, picture: null }
const good: JobDecision = { reason: null, claim: null, shown: {}, ofRepository: true, pin: {} }

/** The events that every `EventStore` lists for rules. */
export function trustEventsContract(
  name: string,
  open: () => Promise<TrustedPublisherFixture & { readonly events: EventStore }>,
): void {
  describe(name, () => {
    let fixture: Awaited<ReturnType<typeof open>>
    let publisher: TrustedPublisher
    let tokens = 0

    beforeEach(async () => {
      fixture = await open()
      const identity = newIdentity('https://issuer.example', 'ann')
      const ann = await fixture.accounts.upsert(randomIds.account(), identity, profile, null)
      publisher = await add(ann.id)
    })

    const add = async (accountId: AccountId, limit: number | null = null): Promise<TrustedPublisher> => {
      const added = await fixture.trustedPublishers.add(
        {
          ...{ id: randomIds.trustedPublisher(), accountId, name: 'releases' },
          issuer: 'https://ci.example',
          provider: 'github',
          repository: 'acme/website',
          claims: { repository_id: '74', repository_owner_id: '65' },
          events: [],
          scopes: ['read'],
          ttlSeconds: 900,
        },
        () => limit,
        null,
      )
      if (added.state !== 'added') throw new Error('replayed instead of added')
      return added.added
    }

    const exchange = (judgement: Partial<JobDecision> = {}) => {
      tokens += 1
      const digest = Buffer.from(String(tokens).padEnd(32, '.')).toString('hex')
      const assertion = { issuer: 'https://ci.example', claims: {}, fault: null, digest }
      return fixture.trustedPublishers.exchange(
        publisher.id,
        { ...assertion, expiresAt: new Date(Date.UTC(2100, 0, 1)) },
        () => ({ ...good, ...judgement }),
        { digest: { digest, pepperVersion: 1 }, eventId: randomIds.publisherEvent() },
      )
    }
    const list = async (type: string, subject: string | null = publisher.id) => {
      const filter = { accountId: publisher.accountId, type, subject, after: null }
      return (await fixture.events.list({ ...filter, itemsMax: 100, days: { free: 30, pro: 90 } })).items
    }

    it('lists a rule’s events from its creation to its end, and keeps them after the rule is deleted', async () => {
      const { id, accountId } = publisher
      const update = (change: Partial<TrustedPublisher>) =>
        fixture.trustedPublishers.update(id, (known) => ({ ...known, ...change }), false)
      await update({ claims: { repository_owner_id: '65', repository_id: '74' } })
      await update({ name: 'nightly', scopes: ['read', 'write'] })
      await fixture.trustedPublishers.remove(accountId, id)
      await fixture.trustedPublishers.remove(accountId, id)
      const events = await list('trust')
      expect(events.map(({ type, detail }) => [type, detail.changed]).toSorted()).toEqual([
        ['trust.changed', 'name scopes'],
        ['trust.created', undefined],
        ['trust.deleted', undefined],
      ])
      expect((await list('trust.created'))[0]).toMatchObject({
        principal: { kind: 'owner', id: null },
        subject: { kind: 'trusted_publisher', id },
        detail: { name: 'releases', repository: 'acme/website', scopes: 'read' },
      })
      expect((await list('trust.deleted'))[0]).toMatchObject({ detail: { name: 'nightly' } })
    })

    it('records once a day that the limit of rules became near', async () => {
      const { accountId } = publisher
      for (let held = 1; held < 7; held += 1) await add(accountId, 9)
      expect(await list('limit', null)).toEqual([])
      const { id } = await add(accountId, 9)
      await fixture.trustedPublishers.remove(accountId, id)
      await add(accountId, 9)
      await add(accountId, 9)
      const near = await list('limit', null)
      expect(near).toMatchObject([
        {
          type: 'limit.near',
          principal: { kind: 'system', id: null },
          subject: { kind: 'account', id: accountId },
          detail: { limit: 'trusted_publishers', used: 8, of: 9 },
        },
      ])
      expect(near[0]?.id).toMatch(/^near-trusted_publishers-\d{4}-\d\d-\d\d$/)
    })

    it('records the first token of a rule, and no other', async () => {
      await Promise.all([exchange(), exchange(), exchange()])
      const use = { publisherId: publisher.id, requests: 1, lastUsedAt: new Date() }
      await fixture.trustedPublishers.addUsage('1', [use])
      await exchange()
      expect(await list('trust.first_used')).toMatchObject([
        { principal: { kind: 'ci_job', id: publisher.id } },
      ])
    })

    it('records each reason for a rejection once a day, and foreign jobs once in all', async () => {
      const attempt = async (): Promise<void> => {
        await exchange({ reason: 'claim_mismatch', claim: 'ref' })
        await exchange({ reason: 'expired' })
        for (const reason of ['other_repository', 'expired', 'other_issuer'] as const)
          await exchange({ reason, ofRepository: false })
      }
      await attempt()
      await attempt()
      const refusals = await list('trust.refused')
      expect(refusals).toHaveLength(3)
      expect(refusals.map(({ detail }) => detail)).toContainEqual({
        name: 'releases',
        reason: 'claim_mismatch',
        claim: 'ref',
      })
      expect(await list('trust.first_used')).toEqual([])
    })
  })
}
