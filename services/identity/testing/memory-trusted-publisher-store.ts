import { accountNotFound } from '../domain/account.js'
import {
  limitNear,
  trustChanged,
  trustCreated,
  trustDeleted,
  trustFirstUsed,
  trustRefused,
} from '../domain/account-event.js'
import type { KeyDigest } from '../domain/api-key.js'
import type { Assertion, JobDecision } from '../domain/authorize-job.js'
import type { TrustedPublisher, TrustedPublisherId } from '../domain/trusted-publisher.js'
import type { TrustedPublisherStore } from '../ports.js'
import { recordIn } from './memory-event-store.js'
import { issueOnce } from './memory-key-issue.js'
import { accountOf, idleMs, type MemoryState, newestFirst } from './memory-state.js'

const assertionGraceMs = 600_000

function assertionKey({ issuer, digest }: Assertion): string {
  return JSON.stringify([issuer, digest])
}

function note(state: MemoryState, publisherId: TrustedPublisherId, id: string, judged: JobDecision): void {
  const all = [{ ...judged, id, at: state.now() }, ...(state.publisherEvents.get(publisherId) ?? [])]
  const own = all.filter(({ ofRepository }) => ofRepository).slice(0, 50)
  const others = all.filter(({ ofRepository }) => !ofRepository).slice(0, 10)
  state.publisherEvents.set(
    publisherId,
    all.filter((event) => own.includes(event) || others.includes(event)),
  )
}

function endTokens({ tokens }: MemoryState, id: TrustedPublisherId): void {
  for (const [digest, token] of tokens) if (token.publisherId === id) tokens.delete(digest)
}

function exchangeIn(state: MemoryState): TrustedPublisherStore['exchange'] {
  const { publishers, tokens, usedAssertions, now } = state
  return async (id, assertion, judge, token) => {
    const publisher = publishers.get(id)
    const account = publisher === undefined ? undefined : accountOf(state, publisher.accountId)
    if (publisher === undefined || account === undefined) return null
    const found = judge(publisher, { account, ownerIdleMs: idleMs(state, account) })
    const wasUsed = found.reason === null && usedAssertions.has(assertionKey(assertion))
    const judged: JobDecision = wasUsed ? { ...found, reason: 'assertion_used' } : found
    note(state, id, token.eventId, judged)
    if (judged.reason !== null) {
      recordIn(state, trustRefused(publisher, judged, now()))
      return { state: 'refused' }
    }
    if (publisher.lastUsedAt === null) recordIn(state, trustFirstUsed(publisher))
    usedAssertions.set(assertionKey(assertion), assertion.expiresAt)
    const expiresAt = new Date(now().getTime() + publisher.ttlSeconds * 1_000)
    tokens.set(token.digest.digest, { publisherId: id, expiresAt })
    return { state: 'issued', publisher }
  }
}

function tokensIn(state: MemoryState): Pick<TrustedPublisherStore, 'resolve' | 'revoke' | 'forgetExpired'> {
  const { publishers, tokens, usedAssertions, now } = state
  const find = (digests: readonly KeyDigest[]) => {
    const digest = digests.find((one) => tokens.has(one.digest))?.digest
    const token = digest === undefined ? undefined : tokens.get(digest)
    const publisher = token === undefined ? undefined : publishers.get(token.publisherId)
    return digest === undefined || token === undefined || publisher === undefined
      ? null
      : { digest, token, publisher }
  }
  return {
    async resolve(digests) {
      const found = find(digests)
      if (found === null || found.publisher.disabledAt !== null) return null
      const { publisher, token } = found
      const account = accountOf(state, publisher.accountId)
      const timeLeftMs = token.expiresAt.getTime() - now().getTime()
      if (account === undefined || timeLeftMs <= 0) return null
      return { account, publisher, timeLeftMs, ownerIdleMs: idleMs(state, account) }
    },
    async revoke(digests) {
      const found = find(digests)
      if (found === null) return null
      tokens.delete(found.digest)
      return found.publisher.accountId
    },
    async forgetExpired() {
      const time = now().getTime()
      const old = [...tokens].filter(([, { expiresAt }]) => expiresAt.getTime() <= time)
      const used = [...usedAssertions].filter(([, at]) => at.getTime() <= time - assertionGraceMs)
      for (const [digest] of old) tokens.delete(digest)
      for (const [key] of used) usedAssertions.delete(key)
      return old.length + used.length
    },
  }
}

/** Trusted publishers in memory, for tests. */
export function memoryTrustedPublisherStore(state: MemoryState): TrustedPublisherStore {
  const { publishers, batches, now } = state
  const held = (accountId: string): TrustedPublisher[] =>
    [...publishers.values()].filter((one) => one.accountId === accountId)
  return {
    async add(draft, admit, request) {
      const account = accountOf(state, draft.accountId)
      if (account === undefined) throw accountNotFound()
      return issueOnce(state, draft.accountId, request, () => {
        const limit = admit(account.plan, held(draft.accountId).length)
        const unused = { lastUsedAt: null, requestCount: 0, disabledAt: null }
        const publisher: TrustedPublisher = { ...draft, createdAt: now(), ...unused }
        publishers.set(draft.id, publisher)
        recordIn(state, trustCreated(publisher))
        const near = limitNear(account.id, 'trusted_publishers', held(account.id).length, limit, now())
        if (near !== null) recordIn(state, near)
        return publisher
      })
    },
    list: async (accountId) => held(accountId).sort(newestFirst),
    find: async (id) => publishers.get(id) ?? null,
    async update(id, change, endsTokens) {
      const known = publishers.get(id)
      if (known === undefined) return null
      const changed = change(known, now())
      publishers.set(id, changed)
      const event = trustChanged(known, changed)
      if (event !== null) recordIn(state, event)
      if (endsTokens) endTokens(state, id)
      return changed
    },
    async remove(accountId, id) {
      const known = publishers.get(id)
      if (known?.accountId !== accountId) return false
      recordIn(state, trustDeleted(known))
      endTokens(state, id)
      state.publisherEvents.delete(id)
      return publishers.delete(id)
    },
    exchange: exchangeIn(state),
    events: async (id) => state.publisherEvents.get(id) ?? [],
    ...tokensIn(state),
    async addUsage(batchId, uses) {
      if (batches.has(batchId)) return false
      batches.set(batchId, now())
      for (const { publisherId, requests, lastUsedAt } of uses) {
        const known = publishers.get(publisherId)
        if (known === undefined) continue
        const last =
          known.lastUsedAt !== null && known.lastUsedAt > lastUsedAt ? known.lastUsedAt : lastUsedAt
        publishers.set(publisherId, {
          ...known,
          requestCount: known.requestCount + requests,
          lastUsedAt: last,
        })
      }
      return true
    },
  }
}
