import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import { accountNotFound } from '../domain/account.js'
import type { ApiKey, ApiKeyDraft, DayOfUse } from '../domain/api-key.js'
import type { ApiKeyStore } from '../ports.js'
import { accountOf, idleMs, type MemoryApiKey, type MemoryState } from './memory-state.js'

function keyFrom(draft: ApiKeyDraft, now: Date): ApiKey {
  const { id, accountId, name, prefix, last4, scopes, expiresInSeconds } = draft
  const expiresAt = expiresInSeconds === null ? null : new Date(now.getTime() + expiresInSeconds * 1_000)
  const unused = { lastUsedAt: null, requestCount: 0 }
  return { id, accountId, name, prefix, last4, scopes, createdAt: now, expiresAt, ...unused }
}

function newestFirst(one: ApiKey, other: ApiKey): number {
  const byTime = other.createdAt.getTime() - one.createdAt.getTime()
  return byTime === 0 ? (one.id < other.id ? 1 : -1) : byTime
}

function later(one: Date | null, other: Date): Date {
  return one !== null && one.getTime() > other.getTime() ? one : other
}

function plus(day: DayOfUse | undefined, { date, requests, errors }: DayOfUse): DayOfUse {
  return { date, requests: (day?.requests ?? 0) + requests, errors: (day?.errors ?? 0) + errors }
}

/** API keys in memory, for tests. */
export function memoryApiKeyStore(state: MemoryState): ApiKeyStore {
  const { apiKeys, responses, batches, now } = state
  const isOld = (at: Date): boolean => now().getTime() - at.getTime() > idempotencyKeyLifeMs
  const held = (accountId: string): MemoryApiKey[] =>
    [...apiKeys.values()].filter(({ apiKey }) => apiKey.accountId === accountId)
  return {
    async add(draft, admit, request) {
      const account = accountOf(state, draft.accountId)
      if (account === undefined) throw accountNotFound()
      const responseKey = JSON.stringify([draft.accountId, request?.key.digest])
      const response = responses.get(responseKey)
      if (request !== null && response !== undefined && !isOld(response.createdAt))
        return { state: 'replayed', response }
      admit(account.plan, held(draft.accountId).length)
      const apiKey = keyFrom(draft, now())
      apiKeys.set(draft.id, { apiKey, digest: draft.digest.digest, days: new Map() })
      if (request !== null) responses.set(responseKey, { ...request.seal(apiKey), createdAt: now() })
      return { state: 'added', apiKey }
    },
    list: async (accountId) =>
      held(accountId)
        .map(({ apiKey }) => apiKey)
        .sort(newestFirst),
    find: async (id) => apiKeys.get(id)?.apiKey ?? null,
    async remove(accountId, id) {
      return apiKeys.get(id)?.apiKey.accountId === accountId && apiKeys.delete(id)
    },
    async resolve(digests) {
      const known = [...apiKeys.values()].find((one) => digests.some(({ digest }) => digest === one.digest))
      if (known === undefined) return null
      const { apiKey } = known
      const timeLeftMs = apiKey.expiresAt === null ? null : apiKey.expiresAt.getTime() - now().getTime()
      const account = accountOf(state, apiKey.accountId)
      if (account === undefined || (timeLeftMs !== null && timeLeftMs <= 0)) return null
      apiKeys.set(apiKey.id, { ...known, digest: digests[0]?.digest ?? known.digest })
      return { account, apiKey, timeLeftMs, ownerIdleMs: idleMs(state, account) }
    },
    async usage(id, from, to) {
      const days = [...(apiKeys.get(id)?.days.values() ?? [])]
      return days.filter(({ date }) => date >= from && date <= to).sort((a, b) => (a.date < b.date ? -1 : 1))
    },
    async addUsage(batchId, uses) {
      if (batches.has(batchId)) return false
      batches.set(batchId, now())
      for (const use of uses) {
        const known = apiKeys.get(use.apiKeyId)
        if (known === undefined) continue
        const { apiKey } = known
        const days = new Map(known.days).set(use.date, plus(known.days.get(use.date), use))
        const lastUsedAt = later(apiKey.lastUsedAt, use.lastUsedAt)
        const requestCount = apiKey.requestCount + use.requests
        apiKeys.set(apiKey.id, { ...known, days, apiKey: { ...apiKey, lastUsedAt, requestCount } })
      }
      return true
    },
    async forgetOld() {
      const oldBatches = [...batches].filter(([, at]) => isOld(at))
      const oldResponses = [...responses].filter(([, { createdAt }]) => isOld(createdAt))
      for (const [id] of oldBatches) batches.delete(id)
      for (const [key] of oldResponses) responses.delete(key)
      return oldBatches.length + oldResponses.length
    },
  }
}
