import { type Api, idempotent } from './api.js'
import type { KeyScope } from './keys.js'

/** Query key of the trusted publishers. */
export const trustKey = ['trust'] as const

export type Claims = Readonly<Record<string, string>>

/** A rule that lets CI jobs act for its owner. */
export interface TrustedPublisher {
  readonly id: string
  readonly name: string
  readonly issuer: string
  readonly repository: string | null
  readonly claims: Claims
  readonly events: readonly string[]
  readonly scopes: readonly KeyScope[]
  readonly ttl: number
  readonly pinned: boolean
  readonly disabled_at: string | null
  readonly last_used_at: string | null
  readonly request_count: number
}

/** All rules, and the issuers that rules may name on this server. */
export interface TrustedPublishers {
  readonly trusted_publishers: readonly TrustedPublisher[]
  readonly issuers: readonly string[]
}

/** One request for a token. */
export interface Attempt {
  readonly id: string
  readonly at: string
  /** `null` when a token was issued. */
  readonly reason: string | null
  readonly claim: string | null
  readonly claims: Claims
  /** The claims a rule needs to trust this repository. */
  readonly pin: Claims | null
}

export interface NewTrustedPublisher {
  readonly name: string
  readonly issuer: string
  readonly repository?: string
  readonly claims: Claims
  readonly scopes: readonly KeyScope[]
}

const all = '/api/trusted-publishers'
const pathOf = (id: string): string => `${all}/${encodeURIComponent(id)}`

export async function listTrustedPublishers(api: Api, signal?: AbortSignal): Promise<TrustedPublishers> {
  return (await api.send<TrustedPublishers>({ path: all, signal })).body
}

/** Creates a rule. Safe to retry with the same `idempotencyKey`. */
export async function createTrustedPublisher(
  api: Api,
  fields: NewTrustedPublisher,
  idempotencyKey: string,
): Promise<TrustedPublisher> {
  const request = { method: 'POST', path: all, body: fields, headers: idempotent(idempotencyKey) } as const
  return (await api.send<TrustedPublisher>(request)).body
}

/** The latest token requests that matched a rule, newest first. */
export async function listAttempts(api: Api, id: string, signal?: AbortSignal): Promise<readonly Attempt[]> {
  return (await api.send<{ events: readonly Attempt[] }>({ path: `${pathOf(id)}/events`, signal })).body
    .events
}

/** Adds these ids to the claims of a rule. */
export async function pinIds(api: Api, { id, claims }: TrustedPublisher, pin: Claims): Promise<void> {
  await api.send({ method: 'PATCH', path: pathOf(id), body: { claims: { ...claims, ...pin } } })
}

/** Deletes a rule and revokes its tokens. */
export async function deleteTrustedPublisher(api: Api, id: string): Promise<void> {
  await api.send({ method: 'DELETE', path: pathOf(id) })
}
