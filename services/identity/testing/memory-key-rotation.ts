import { accountNotFound } from '../domain/account.js'
import { keyRevoked, keyRotated, previousEnded, secretExpired } from '../domain/account-event.js'
import {
  type ApiKey,
  type ApiKeyId,
  apiKeyNotFound,
  type KeyDigest,
  type KeySecret,
} from '../domain/api-key.js'
import { revokedPart, rotationDaysMax, type SecretDraft } from '../domain/rotation.js'
import type { ApiKeyStore } from '../ports.js'
import { recordIn } from './memory-event-store.js'
import { issueOnce } from './memory-key-issue.js'
import { accountOf, type MemoryApiKey, type MemorySecret, type MemoryState } from './memory-state.js'

const dayMs = 86_400_000

function isLive({ expiresAt }: Pick<KeySecret, 'expiresAt'>, now: Date): boolean {
  return expiresAt === null || expiresAt.getTime() > now.getTime()
}

function shown({ digest: _digest, overlapSeconds: _overlap, ...secret }: MemorySecret): KeySecret {
  return secret
}

/** The current view of the key. */
export function keyOf({ apiKey, secrets }: MemoryApiKey, now: Date): ApiKey {
  const [current, previous] = secrets
    .filter((secret) => isLive(secret, now))
    .toReversed()
    .map(shown)
  if (current === undefined) throw new Error('an API key has no secret')
  return { ...apiKey, current, previous: previous ?? null }
}

/** The key with a live secret that has one of these hashes. */
export function findSecret(
  { apiKeys, now }: MemoryState,
  digests: readonly KeyDigest[],
): { readonly known: MemoryApiKey; readonly secret: MemorySecret } | null {
  const wanted = new Set(digests.map(({ digest }) => digest))
  for (const known of apiKeys.values()) {
    const secret = known.secrets.find((one) => wanted.has(one.digest) && isLive(one, now()))
    if (secret !== undefined && isLive(known.apiKey, now())) return { known, secret }
  }
  return null
}

function after(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1_000)
}

function sooner(one: Date | null, other: Date): Date {
  return one !== null && one.getTime() < other.getTime() ? one : other
}

function ends(secret: MemorySecret, at: Date): MemorySecret {
  return { ...secret, expiresAt: sooner(secret.expiresAt, at) }
}

/** Records the first use of a new secret, and sets the end of the previous one as requested. */
export function beginOverlap(state: MemoryState, known: MemoryApiKey, used: MemorySecret): MemoryApiKey {
  const now = state.now()
  const { overlapSeconds: overlap } = used
  const secrets = known.secrets.map((secret) => {
    if (secret.number === used.number) return { ...secret, firstUsedAt: now, expiresAt: null }
    return overlap === null ? secret : ends(secret, after(now, overlap))
  })
  const changed = { ...known, secrets }
  state.apiKeys.set(known.apiKey.id, changed)
  return changed
}

function withSecret(known: MemoryApiKey, draft: SecretDraft, now: Date): MemoryApiKey {
  const { current, previous } = keyOf(known, now)
  const { begins, overlapSeconds, prefix, last4, digest } = draft
  const kept = known.secrets.filter(({ number }) => previous === null || number !== current.number)
  const old = previous ?? current
  const added: MemorySecret = {
    number: Math.max(...kept.map(({ number }) => number)) + 1,
    ...{ prefix, last4, digest: digest.digest, createdAt: now, firstUsedAt: null, lastUsedAt: null },
    expiresAt:
      begins === 'first-use' && old.expiresAt === null ? after(now, rotationDaysMax * (dayMs / 1_000)) : null,
    overlapSeconds: begins === 'first-use' ? overlapSeconds : null,
  }
  const secrets = kept.map((secret) =>
    begins === 'now' && secret.number === old.number ? ends(secret, after(now, overlapSeconds)) : secret,
  )
  return { ...known, secrets: [...secrets, added] }
}

/** The rotation part of the in-memory store. */
export function memoryRotations(state: MemoryState): Pick<ApiKeyStore, 'rotate' | 'endPrevious' | 'revoke'> {
  const { apiKeys, now } = state
  const endOlder = (known: MemoryApiKey): void => {
    const { id, current } = keyOf(known, now())
    const secrets = known.secrets.filter(({ number }) => number === current.number)
    apiKeys.set(id, { ...known, secrets: secrets.map((secret) => ({ ...secret, expiresAt: null })) })
  }
  const owned = (accountId: string, id: ApiKeyId): MemoryApiKey | undefined => {
    const known = apiKeys.get(id)
    return known?.apiKey.accountId === accountId ? known : undefined
  }
  return {
    async rotate(draft, admit, request) {
      const account = accountOf(state, draft.accountId)
      if (account === undefined) throw accountNotFound()
      return issueOnce(state, draft.accountId, request, () => {
        const known = owned(draft.accountId, draft.apiKeyId)
        if (known === undefined) throw apiKeyNotFound()
        admit(account.plan, keyOf(known, now()), !isLive(known.apiKey, now()))
        const rotated = withSecret(known, draft, now())
        apiKeys.set(draft.apiKeyId, rotated)
        const apiKey = keyOf(rotated, now())
        recordIn(state, keyRotated(apiKey, draft.overlapSeconds, draft.begins))
        return apiKey
      })
    },
    async endPrevious(accountId, id) {
      const known = owned(accountId, id)
      if (known === undefined || keyOf(known, now()).previous === null) return false
      endOlder(known)
      recordIn(state, previousEnded(known.apiKey))
      return true
    },
    async revoke(digests) {
      const found = findSecret(state, digests)
      if (found === null) return null
      const { known, secret } = found
      const { id, accountId } = known.apiKey
      const part = revokedPart(keyOf(known, now()), secret.number)
      if (part === 'api-key') apiKeys.delete(id)
      else if (part === 'previous') endOlder(known)
      else apiKeys.set(id, { ...known, secrets: known.secrets.filter((one) => one !== secret) })
      recordIn(state, keyRevoked(known.apiKey, part))
      return { accountId, id, part }
    },
  }
}

/** Removes expired secrets; returns their number. */
export function forgetEndedSecrets(state: MemoryState): number {
  const { apiKeys, now } = state
  let ended = 0
  for (const [id, known] of apiKeys) {
    const secrets = known.secrets.filter((secret) => isLive(secret, now()))
    if (secrets.length < known.secrets.length) recordIn(state, secretExpired(known.apiKey))
    ended += known.secrets.length - secrets.length
    apiKeys.set(id, { ...known, secrets })
  }
  return ended
}
