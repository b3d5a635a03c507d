import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import { leaseMs } from '../domain/idempotency.js'
import type { IdempotencyStore } from '../ports.js'
import { keyName, type MemoryKey, type MemoryState } from './memory-state.js'

/** Idempotency keys in memory, for tests. */
export function memoryIdempotencyStore(state: MemoryState): IdempotencyStore {
  const { keys } = state
  const isOld = ({ createdAt }: MemoryKey): boolean =>
    state.now().getTime() - createdAt.getTime() > idempotencyKeyLifeMs
  return {
    async begin({ key, holder }) {
      const now = state.now()
      const known = keys.get(keyName(key))
      const current = known === undefined || isOld(known) ? undefined : known
      if (current !== undefined && current.done !== null) return { state: 'done', ...current.done }
      if (
        current !== undefined &&
        current.holder !== holder &&
        current.leaseUntil.getTime() > now.getTime()
      ) {
        return { state: 'running' }
      }
      const createdAt = current?.holder === holder ? current.createdAt : now
      keys.set(keyName(key), { holder, leaseUntil: new Date(now.getTime() + leaseMs), createdAt, done: null })
      return { state: 'held' }
    },
    async release({ key, holder }) {
      const known = keys.get(keyName(key))
      if (known?.holder === holder && known.done === null) keys.delete(keyName(key))
    },
    async deleteExpired(limit) {
      const old = [...keys].filter(([, key]) => isOld(key)).slice(0, limit)
      for (const [name] of old) keys.delete(name)
      return old.length
    },
  }
}
