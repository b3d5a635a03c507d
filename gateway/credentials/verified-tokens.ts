import { createHash } from 'node:crypto'

/** Remembers what was verified, under a hash of the token, so that no token lies in memory longer than its request. */
export interface VerifiedTokens<Value> {
  get(token: string): Value | undefined
  /** Remembers until `expiresAt` (milliseconds of `now`); the oldest entry makes room. */
  set(token: string, value: Value, expiresAt: number): void
  delete(token: string): void
}

/** A memory for at most `most` tokens. */
export function createVerifiedTokens<Value>(most: number, now: () => number): VerifiedTokens<Value> {
  const entries = new Map<string, { readonly value: Value; readonly expiresAt: number }>()
  const keyOf = (token: string): string => createHash('sha256').update(token).digest('base64')
  return {
    get(token) {
      const key = keyOf(token)
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      if (now() < entry.expiresAt) return entry.value
      entries.delete(key)
      return undefined
    },
    set(token, value, expiresAt) {
      const oldest = entries.size >= most ? entries.keys().next().value : undefined
      if (oldest !== undefined) entries.delete(oldest)
      entries.set(keyOf(token), { value, expiresAt })
    },
    delete(token) {
      entries.delete(keyOf(token))
    },
  }
}
