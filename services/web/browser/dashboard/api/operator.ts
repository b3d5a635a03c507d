import { type Api, withQuery } from './api.js'
import type { ListPage } from './cursor-list.js'
import type { GateUse, Share } from './shares.js'

/** Query key of everything that operators see. */
export const operatorKey = ['operator'] as const

const base = '/api/operator'

export interface Report {
  readonly id: string
  readonly share: {
    readonly id: string
    readonly share_url: string
    readonly title: string
    readonly state: 'live' | 'expired' | 'disabled' | 'deleted'
  }
  readonly account_id: string
  readonly reason: string
  readonly message: string
  readonly email: string | null
  readonly times: number
  readonly created_at: string
  readonly resolved_at: string | null
  readonly note: string | null
}

export interface OperatedAccount {
  readonly id: string
  readonly email: string | null
  readonly name: string | null
  readonly issuer: string
  readonly subject: string
  readonly plan: 'free' | 'pro'
  readonly created_at: string
  readonly signed_in_at: string
  readonly suspended_at: string | null
  readonly suspension_reason: string | null
  readonly erased_after: string | null
}

export interface AccountDetails extends OperatedAccount {
  readonly usage: {
    readonly snippets: number
    readonly shares: number
    readonly stored_bytes: number
    readonly api_keys: number
  }
  /** `null` without payments, and while billing does not respond. */
  readonly billing: { readonly status: string; readonly granted_until: string | null } | null
}

export interface ShareRecord extends GateUse {
  readonly id: string
  readonly share_url: string
  readonly account_id: string
  readonly tool: string
  readonly title: string
  readonly size_bytes: number
  readonly created_at: string
  readonly expires_at: string | null
  readonly state: 'live' | 'expired' | 'disabled'
  readonly data_deleted_at: string | null
  readonly has_data: boolean
  readonly account_suspended: boolean
  readonly views: number
  readonly open_reports: number
}

export interface Act {
  readonly id: string
  readonly action: string
  readonly created_at: string
  readonly operator: { readonly id: string; readonly name: string }
  readonly subject: { readonly kind: string; readonly id: string }
  readonly account_id: string
  readonly reason: string
}

export interface QueueList {
  readonly queues: readonly {
    readonly service: string
    readonly name: string
    readonly waiting: number
    readonly failing: number
    readonly oldest_at: string | null
  }[]
  readonly payments: Readonly<Record<string, string | number | null>> | null
  readonly unavailable: readonly string[]
}

/** Why, for the record, and what the owner is told. */
export interface Decision {
  readonly reason: string
  readonly message?: string
}

export type ReportState = 'open' | 'resolved' | 'all'

async function get<T>(api: Api, path: string, signal: AbortSignal): Promise<T> {
  return (await api.send<T>({ path: `${base}${path}`, signal })).body
}

async function act<T>(api: Api, path: string, body: object): Promise<T> {
  return (await api.send<T>({ method: 'POST', path: `${base}${path}`, body })).body
}

/** One page of reports, newest first. */
export async function listReports(
  api: Api,
  state: ReportState,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ListPage<Report>> {
  type Page = { readonly reports: readonly Report[]; readonly next_cursor: string | null }
  const { reports, next_cursor } = await get<Page>(
    api,
    withQuery('/reports', { state, limit: 30, cursor }),
    signal,
  )
  return { items: reports, nextCursor: next_cursor }
}

export function resolveReport(api: Api, id: string, { reason }: Decision): Promise<Report> {
  return act(api, `/reports/${encodeURIComponent(id)}/resolve`, { reason })
}

/** Accounts with this id, e-mail address or subject; the closing ones for `null`. */
export async function searchAccounts(
  api: Api,
  q: string | null,
  signal: AbortSignal,
): Promise<readonly OperatedAccount[]> {
  const found = await get<{ accounts: readonly OperatedAccount[] }>(
    api,
    withQuery('/accounts', q === null ? { state: 'closing' } : { q }),
    signal,
  )
  return found.accounts
}

export function getAccount(api: Api, id: string, signal: AbortSignal): Promise<AccountDetails> {
  return get(api, `/accounts/${encodeURIComponent(id)}`, signal)
}

/** One page of an account's shares in any state. */
export async function listAccountShares(
  api: Api,
  id: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ListPage<Share>> {
  type Page = { readonly shares: readonly Share[]; readonly next_cursor: string | null }
  const path = withQuery(`/accounts/${encodeURIComponent(id)}/shares`, { limit: 30, cursor })
  const { shares, next_cursor } = await get<Page>(api, path, signal)
  return { items: shares, nextCursor: next_cursor }
}

export function changeAccount(
  api: Api,
  id: string,
  verb: 'suspend' | 'resume' | 'end-grant',
  { reason, message = '' }: Decision,
): Promise<unknown> {
  const told = verb === 'end-grant' || message === '' ? {} : { message }
  return act(api, `/accounts/${encodeURIComponent(id)}/${verb}`, { reason, ...told })
}

export function grantPlan(
  api: Api,
  id: string,
  days: number,
  { reason, message = '' }: Decision,
): Promise<unknown> {
  const told = message === '' ? {} : { message }
  const grant = { plan: 'pro', expires_in: days * 86_400 }
  return act(api, `/accounts/${encodeURIComponent(id)}/grant-plan`, { reason, ...told, ...grant })
}

export function getShareRecord(api: Api, id: string, signal: AbortSignal): Promise<ShareRecord> {
  return get(api, `/shares/${encodeURIComponent(id)}`, signal)
}

export function changeShare(
  api: Api,
  id: string,
  verb: 'disable' | 'enable',
  { reason, message = '' }: Decision,
): Promise<ShareRecord> {
  return act(api, `/shares/${encodeURIComponent(id)}/${verb}`, {
    reason,
    ...(message === '' ? {} : { message }),
  })
}

/** One page of what operators did, newest first; `account` is an id, or empty for all. */
export async function listActs(
  api: Api,
  account: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ListPage<Act>> {
  type Page = { readonly acts: readonly Act[]; readonly next_cursor: string | null }
  const { acts, next_cursor } = await get<Page>(
    api,
    withQuery('/acts', { account, limit: 30, cursor }),
    signal,
  )
  return { items: acts, nextCursor: next_cursor }
}

export function getQueues(api: Api, signal: AbortSignal): Promise<QueueList> {
  return get(api, '/queues', signal)
}
