import type { ApiKey, KeySecret } from './api-key.js'

type AsText<T> = { readonly [K in keyof T]: T[K] extends Date | null ? string | null : T[K] }

/** As written by the previous release, which knew one secret per key. */
interface WithoutSecrets {
  readonly prefix: string
  readonly last4: string
}

function dateIn(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}

function secretFrom(kept: AsText<KeySecret>): KeySecret {
  return {
    ...kept,
    createdAt: new Date(kept.createdAt ?? 0),
    firstUsedAt: dateIn(kept.firstUsedAt),
    lastUsedAt: dateIn(kept.lastUsedAt),
    expiresAt: dateIn(kept.expiresAt),
  }
}

/** Serialises a key for the stored response of an idempotency key. */
export function apiKeyToText(apiKey: ApiKey): string {
  return JSON.stringify(apiKey)
}

/** Parses the output of `apiKeyToText` from this release or the previous one. */
export function apiKeyFromText(text: string): ApiKey {
  type Kept = Omit<AsText<ApiKey>, 'current' | 'previous'> & {
    readonly current?: AsText<KeySecret>
    readonly previous?: AsText<KeySecret> | null
  } & WithoutSecrets
  const { current, previous, prefix, last4, ...kept } = JSON.parse(text) as Kept
  const only = { prefix, last4, createdAt: kept.createdAt }
  const unused = { number: 1, firstUsedAt: null, lastUsedAt: null, expiresAt: null }
  return {
    ...kept,
    createdAt: new Date(kept.createdAt ?? 0),
    expiresAt: dateIn(kept.expiresAt),
    lastUsedAt: dateIn(kept.lastUsedAt),
    current: secretFrom(current ?? { ...only, ...unused }),
    previous: previous === undefined || previous === null ? null : secretFrom(previous),
  }
}
