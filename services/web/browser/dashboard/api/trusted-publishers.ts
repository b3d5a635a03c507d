import { type Api, idempotent } from './api.js'
import type { KeyScope } from './keys.js'

/** By what the rules for CI jobs are kept; to be invalidated when they change. */
export const trustKey = ['trust'] as const

/** Claims of a token, by name. */
export type Claims = Readonly<Record<string, string>>

/** A rule by which CI jobs act for their owner. */
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

/** All rules, and the issuers that they may name here. */
export interface TrustedPublishers {
  readonly trusted_publishers: readonly TrustedPublisher[]
  readonly issuers: readonly string[]
}

/** Somebody asked for a token. */
export interface Attempt {
  readonly id: string
  readonly at: string
  /** `null` when a token was issued. */
  readonly reason: string | null
  readonly claim: string | null
  readonly claims: Claims
  /** What the rule would have to name to trust this repository. */
  readonly pin: Claims | null
}

/** What a new rule shall be. */
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

/** Makes a rule; the same `idempotencyKey` never makes two. */
export async function createTrustedPublisher(
  api: Api,
  fields: NewTrustedPublisher,
  idempotencyKey: string,
): Promise<TrustedPublisher> {
  const request = { method: 'POST', path: all, body: fields, headers: idempotent(idempotencyKey) } as const
  return (await api.send<TrustedPublisher>(request)).body
}

/** The last attempts to get a token of a rule, newest first. */
export async function listAttempts(api: Api, id: string, signal?: AbortSignal): Promise<readonly Attempt[]> {
  return (await api.send<{ events: readonly Attempt[] }>({ path: `${pathOf(id)}/events`, signal })).body
    .events
}

/** Has a rule name these ids beside what it names already. */
export async function pinIds(api: Api, { id, claims }: TrustedPublisher, pin: Claims): Promise<void> {
  await api.send({ method: 'PATCH', path: pathOf(id), body: { claims: { ...claims, ...pin } } })
}

/** Ends a rule and its tokens. */
export async function deleteTrustedPublisher(api: Api, id: string): Promise<void> {
  await api.send({ method: 'DELETE', path: pathOf(id) })
}
