import { type Api, idempotent, withQuery } from './api.js'

/** By what the API keys are kept; to be invalidated when they come or go. */
export const keysKey = ['keys'] as const

/** What a key may do. */
export type KeyScope = 'read' | 'write'

/** One of the at most two secrets of a key, without the secret itself. */
export interface KeySecret {
  readonly prefix: string
  readonly last4: string
  readonly created_at: string
  readonly last_used_at: string | null
  readonly expires_at: string | null
}

/** An API key without the key itself. */
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

/** How a key is rotated. */
export interface Rotation {
  readonly overlap_seconds: number
  readonly begins: 'first_use' | 'now'
}

/** What a new key shall be. */
export interface NewKey {
  readonly name: string
  readonly scopes: readonly KeyScope[]
  /** Seconds; without it the key never expires. */
  readonly expires_in?: number
}

/** The use of a key, day by day, in UTC. */
export interface KeyUsage {
  readonly total: number
  readonly days: readonly { readonly date: string; readonly requests: number; readonly errors: number }[]
}

const pathOf = (id: string): string => `/api/keys/${encodeURIComponent(id)}`

/** All keys. */
export async function listKeys(api: Api, signal?: AbortSignal): Promise<readonly ApiKey[]> {
  return (await api.send<{ keys: readonly ApiKey[] }>({ path: '/api/keys', signal })).body.keys
}

/** Makes a key and gives the only copy of it; the same `idempotencyKey` never makes two. */
export async function createKey(
  api: Api,
  fields: NewKey,
  idempotencyKey: string,
): Promise<ApiKey & { readonly key: string }> {
  const headers = idempotent(idempotencyKey)
  const request = { method: 'POST', path: '/api/keys', body: fields, headers } as const
  return (await api.send<ApiKey & { readonly key: string }>(request)).body
}

/** Gives a key a new secret, of which this is the only copy; the same `idempotencyKey` never gives two. */
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

/** The use of a key between two days such as `2030-01-31`; the last thirty unless given. */
export async function keyUsage(
  api: Api,
  id: string,
  { from, to }: { readonly from: string; readonly to: string } = { from: '', to: '' },
  signal?: AbortSignal,
): Promise<KeyUsage> {
  return (await api.send<KeyUsage>({ path: withQuery(`${pathOf(id)}/usage`, { from, to }), signal })).body
}

/** Revokes a key at once and for ever. */
export async function revokeKey(api: Api, id: string): Promise<void> {
  await api.send({ method: 'DELETE', path: pathOf(id) })
}
