import type { Account, AccountId } from '../domain/account.js'
import type { ApiKey, ApiKeyId, DayOfUse } from '../domain/api-key.js'
import type { KeptAnswer } from '../domain/idempotency.js'

/** An API key with what is kept beside it. */
export interface MemoryApiKey {
  readonly apiKey: ApiKey
  readonly digest: string
  readonly days: ReadonlyMap<string, DayOfUse>
}

/** What the stores of identity keep in memory, for tests. */
export interface MemoryState {
  readonly now: () => Date
  /** By issuer and subject. */
  readonly accounts: Map<string, Account>
  readonly apiKeys: Map<ApiKeyId, MemoryApiKey>
  readonly answers: Map<string, KeptAnswer & { readonly createdAt: Date }>
  /** When each batch was applied. */
  readonly batches: Map<string, Date>
}

/** An empty memory with this clock. */
export function memoryState(now: () => Date): MemoryState {
  return { now, accounts: new Map(), apiKeys: new Map(), answers: new Map(), batches: new Map() }
}

/** The account of this id. */
export function accountOf({ accounts }: MemoryState, id: AccountId): Account | undefined {
  return [...accounts.values()].find((account) => account.id === id)
}
