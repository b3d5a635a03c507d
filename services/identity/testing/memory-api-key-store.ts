import { accountNotFound } from '../domain/account.js'
import {
  keyCreated,
  keyDeleted,
  limitNear,
  oldSecretUsed,
  overlapBegan as overlapBeganIn,
} from '../domain/account-event.js'
import type { ApiKey, ApiKeyDraft, DayOfUse } from '../domain/api-key.js'
import type { ApiKeyStore } from '../ports.js'
import { recordIn } from './memory-event-store.js'
import { isOld, issueOnce } from './memory-key-issue.js'
import {
  beginOverlap,
  findSecret,
  forgetEndedSecrets,
  keyOf,
  memoryRotations,
} from './memory-key-rotation.js'
import { accountOf, idleMs, type MemoryApiKey, type MemoryState, newestFirst } from './memory-state.js'

function newKey(draft: ApiKeyDraft, now: Date): MemoryApiKey {
  const { id, accountId, name, prefix, last4, scopes, expiresInSeconds, digest } = draft
  const expiresAt = expiresInSeconds === null ? null : new Date(now.getTime() + expiresInSeconds * 1_000)
  const unused = { firstUsedAt: null, lastUsedAt: null, expiresAt: null, overlapSeconds: null }
  return {
    apiKey: { id, accountId, name, scopes, createdAt: now, expiresAt, lastUsedAt: null, requestCount: 0 },
    secrets: [{ number: 1, prefix, last4, digest: digest.digest, createdAt: now, ...unused }],
    days: new Map(),
  }
}

function later(one: Date | null, other: Date): Date {
  return one !== null && one.getTime() > other.getTime() ? one : other
}

function plus(day: DayOfUse | undefined, { date, requests, errors }: DayOfUse): DayOfUse {
  return { date, requests: (day?.requests ?? 0) + requests, errors: (day?.errors ?? 0) + errors }
}

const resolveIn =
  (state: MemoryState): ApiKeyStore['resolve'] =>
  async (digests) => {
    const found = findSecret(state, digests)
    if (found === null) return null
    const { secret } = found
    const { id, accountId, name, scopes } = found.known.apiKey
    const account = accountOf(state, accountId)
    if (account === undefined) return null
    const overlapBegan = secret.number > 1 && secret.firstUsedAt === null
    const known = overlapBegan ? beginOverlap(state, found.known, secret) : found.known
    if (overlapBegan) recordIn(state, overlapBeganIn(keyOf(known, state.now())))
    const digest = digests[0]?.digest ?? secret.digest
    const secrets = known.secrets.map((one) => (one.number === secret.number ? { ...one, digest } : one))
    state.apiKeys.set(id, { ...known, secrets })
    const ends = [known.apiKey, ...secrets.filter(({ number }) => number === secret.number)]
    const left = ends.flatMap(({ expiresAt }) => (expiresAt === null ? [] : [expiresAt.getTime()]))
    const timeLeftMs = left.length === 0 ? null : Math.min(...left) - state.now().getTime()
    const apiKey = { id, accountId, name, scopes }
    return {
      ...{ account, apiKey, secret: secret.number, overlapBegan },
      ...{ timeLeftMs, ownerIdleMs: idleMs(state, account) },
    }
  }

/** API keys in memory, for tests. */
export function memoryApiKeyStore(state: MemoryState): ApiKeyStore {
  const { apiKeys, responses, batches, now } = state
  const held = (accountId: string): ApiKey[] =>
    [...apiKeys.values()]
      .filter(({ apiKey }) => apiKey.accountId === accountId)
      .map((known) => keyOf(known, now()))
  return {
    ...memoryRotations(state),
    async add(draft, admit, request) {
      const account = accountOf(state, draft.accountId)
      if (account === undefined) throw accountNotFound()
      return issueOnce(state, draft.accountId, request, () => {
        const limit = admit(account.plan, held(draft.accountId).length)
        const known = newKey(draft, now())
        apiKeys.set(draft.id, known)
        const apiKey = keyOf(known, now())
        recordIn(state, keyCreated(apiKey))
        const near = limitNear(account.id, 'api_keys', held(account.id).length, limit, now())
        if (near !== null) recordIn(state, near)
        return apiKey
      })
    },
    list: async (accountId) => held(accountId).sort(newestFirst),
    async find(id) {
      const known = apiKeys.get(id)
      return known === undefined ? null : keyOf(known, now())
    },
    async remove(accountId, id) {
      const known = apiKeys.get(id)
      if (known?.apiKey.accountId !== accountId) return false
      recordIn(state, keyDeleted(known.apiKey))
      return apiKeys.delete(id)
    },
    resolve: resolveIn(state),
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
        const secrets = known.secrets.map((secret) =>
          secret.number === use.secret
            ? { ...secret, lastUsedAt: later(secret.lastUsedAt, use.lastUsedAt) }
            : secret,
        )
        apiKeys.set(apiKey.id, { secrets, days, apiKey: { ...apiKey, lastUsedAt, requestCount } })
        const newest = secrets.at(-1)?.number ?? 0
        const event = `${apiKey.id}-${use.secret}-${use.date}`
        if (use.secret > 0 && use.secret < newest) recordIn(state, oldSecretUsed(apiKey), event)
      }
      return true
    },
    async forgetOld() {
      const oldBatches = [...batches].filter(([, at]) => isOld(state, at))
      const oldResponses = [...responses].filter(([, { createdAt }]) => isOld(state, createdAt))
      for (const [id] of oldBatches) batches.delete(id)
      for (const [key] of oldResponses) responses.delete(key)
      return oldBatches.length + oldResponses.length + forgetEndedSecrets(state)
    },
  }
}
