import { type Api, idempotent, withQuery } from './api.js'

/** Query key of the API keys. */
export const keysKey = ['keys'] as const

export type KeyScope = 'read' | 'write'

/** Metadata of one of a key's secrets; a key has at most two. */
export interface KeySecret {
  readonly prefix: string
  readonly last4: string
  readonly created_at: string
  readonly last_used_at: string | null
  readonly expires_at: string | null
}

/** An API key without its secret. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly last4: string
  readonly scopes: readonly KeyScope[]
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly request_count: number
  readonly current: KeySecret
  /** `null` unless the key is being rotated. */
  readonly previous: KeySecret | null
}

export interface Rotation {
  readonly overlap_seconds: number
  readonly begins: 'first_use' | 'now'
}

export interface NewKey {
  readonly name: string
  readonly scopes: readonly KeyScope[]
  /** Seconds; without it the key never expires. */
  readonly expires_in?: number
}

/** A key's requests per day, in UTC. */
export interface KeyUsage {
  readonly total: number
  readonly days: readonly { readonly date: string; readonly requests: number; readonly errors: number }[]
}

const pathOf = (id: string): string => `/api/keys/${encodeURIComponent(id)}`

export async function listKeys(api: Api, signal?: AbortSignal): Promise<readonly ApiKey[]> {
  return (await api.send<{ keys: readonly ApiKey[] }>({ path: '/api/keys', signal })).body.keys
}

/** Creates a key and returns the only copy of its secret. Safe to retry with the same `idempotencyKey`. */
export async function createKey(
  api: Api,
  fields: NewKey,
  idempotencyKey: string,
): Promise<ApiKey & { readonly key: string }> {
  const headers = idempotent(idempotencyKey)
  const request = { method: 'POST', path: '/api/keys', body: fields, headers } as const
  return (await api.send<ApiKey & { readonly key: string }>(request)).body
}

/** Gives a key a new secret and returns the only copy of it. Safe to retry with the same `idempotencyKey`. */
export async function rotateKey(
  api: Api,
  id: string,
  rotation: Rotation,
  idempotencyKey: string,
): Promise<ApiKey & { readonly key: string }> {
  const request = { method: 'POST', path: `${pathOf(id)}/rotate`, body: rotation } as const
  const headers = idempotent(idempotencyKey)
  return (await api.send<ApiKey & { readonly key: string }>({ ...request, headers })).body
}

/** Ends the older of a key's two secrets. */
export async function endPreviousSecret(api: Api, id: string): Promise<void> {
  await api.send({ method: 'DELETE', path: `${pathOf(id)}/previous` })
}

/** A key's usage between two days such as `2030-01-31`; the last thirty by default. */
export async function keyUsage(
  api: Api,
  id: string,
  { from, to }: { readonly from: string; readonly to: string } = { from: '', to: '' },
  signal?: AbortSignal,
): Promise<KeyUsage> {
  return (await api.send<KeyUsage>({ path: withQuery(`${pathOf(id)}/usage`, { from, to }), signal })).body
}

/** Revokes a key immediately and permanently. */
export async function revokeKey(api: Api, id: string): Promise<void> {
  await api.send({ method: 'DELETE', path: pathOf(id) })
}
