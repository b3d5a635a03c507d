import { hmacKeySecrets, type Pepper } from '../adapters/hmac-key-secrets.js'
import { randomIds } from '../adapters/random-identity-ids.js'
import type { AccountId } from '../domain/account.js'
import type { IdentityPorts, OperatorAccounts } from '../ports.js'
import { memoryAccountStore } from './memory-account-store.js'
import { memoryApiKeyStore } from './memory-api-key-store.js'
import { memoryErasureStore } from './memory-erasure-store.js'
import { memoryEventStore } from './memory-event-store.js'
import { memoryAudit, memoryOperatorAccounts } from './memory-operator-accounts.js'
import { memoryState } from './memory-state.js'
import { memoryTrustedPublisherStore } from './memory-trusted-publisher-store.js'

/** A secret for tests. */
const testPepper: Pepper = { version: 1, secret: 'the pepper of the tests of identity' }

/** Identity in memory, with a clock that only `passTime` moves. */
export interface MemoryIdentity {
  readonly ports: IdentityPorts
  readonly operator: OperatorAccounts
  passTime(ms: number): void
  /** The invalidated accounts, in order. */
  readonly invalidated: readonly AccountId[]
}

/** An empty identity. */
export function memoryIdentity(startMs = Date.UTC(2030, 0, 1)): MemoryIdentity {
  let time = startMs
  const state = memoryState(() => new Date(time))
  const invalidated: AccountId[] = []
  const operator = memoryOperatorAccounts(state)
  return {
    invalidated,
    operator,
    passTime(ms) {
      time += ms
    },
    ports: {
      accounts: memoryAccountStore(state),
      ids: randomIds,
      apiKeys: memoryApiKeyStore(state),
      trustedPublishers: memoryTrustedPublisherStore(state),
      erasures: memoryErasureStore(state),
      events: memoryEventStore(state),
      operatorAccounts: operator,
      auditLog: memoryAudit(state),
      secrets: hmacKeySecrets([testPepper]),
      invalidation: {
        invalidate: async (accountId) => {
          invalidated.push(accountId)
        },
      },
    },
  }
}
