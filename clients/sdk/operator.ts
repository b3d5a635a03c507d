import { jsonBody } from './content.js'
import type {
  Event,
  EventPage,
  GrantPlanData,
  ListAccountSharesData,
  ListActsData,
  ListedShare,
  ListReportsData,
  OperatedAccount,
  OperatedAccountDetails,
  OperatedAccountList,
  OperatedPlan,
  OperatedShare,
  OperatorAct,
  OperatorActPage,
  QueueList,
  Report,
  ReportPage,
  SharePage,
  SuspendAccountData,
} from './generated/types.js'
import { readJson } from './json-calls.js'
import { type ListFilter, type Paged, paged } from './paged.js'
import type { CallOptions, Transport } from './transport.js'

const base = '/api/operator'

/** Why, for the record, and what the owner is told. */
export type Decision = SuspendAccountData['body']

/** What operators of an installation see and do. These calls need the ID token of an operator. */
export class Operator {
  readonly #send: Transport

  constructor(send: Transport) {
    this.#send = send
  }

  #get<T>(path: string, query: Readonly<Record<string, string>> = {}, options?: CallOptions): Promise<T> {
    return readJson(this.#send, { method: 'GET', path: `${base}${path}`, query }, options)
  }

  /** Repeating an act changes nothing, so it may be retried. */
  #act<T>(path: string, body: unknown, options?: CallOptions): Promise<T> {
    const sent = jsonBody(JSON.stringify(body))
    return readJson(this.#send, { method: 'POST', path: `${base}${path}`, body: sent }, options)
  }

  #list<Item, Page extends { readonly next_cursor: string | null }>(
    path: string,
    query: Readonly<Record<string, string | number | undefined>>,
    itemsOf: (page: Page) => readonly Item[],
    options?: CallOptions,
  ): Paged<Item> {
    return paged(async (cursor) => {
      const request = { method: 'GET', path: `${base}${path}`, query: { ...query, cursor } } as const
      const page = await readJson<Page>(this.#send, request, options)
      return { items: itemsOf(page), nextCursor: page.next_cursor }
    })
  }

  /** Reports of shares, newest first; open ones by default. */
  reports(filter: ListFilter<ListReportsData['query']> = {}, options?: CallOptions): Paged<Report> {
    return this.#list('/reports', filter, (page: ReportPage) => page.reports, options)
  }

  /** Closes a report. */
  resolveReport(id: string, reason: string, options?: CallOptions): Promise<Report> {
    return this.#act(`/reports/${encodeURIComponent(id)}/resolve`, { reason }, options)
  }

  /** Accounts with this id, e-mail address or subject. */
  async accounts(q: string, options?: CallOptions): Promise<readonly OperatedAccount[]> {
    return (await this.#get<OperatedAccountList>('/accounts', { q }, options)).accounts
  }

  /** The next closing accounts to be erased. */
  async closingAccounts(options?: CallOptions): Promise<readonly OperatedAccount[]> {
    return (await this.#get<OperatedAccountList>('/accounts', { state: 'closing' }, options)).accounts
  }

  account(id: string, options?: CallOptions): Promise<OperatedAccountDetails> {
    return this.#get(`/accounts/${encodeURIComponent(id)}`, {}, options)
  }

  /** What happened in an account, newest first. */
  accountEvents(id: string, options?: CallOptions): Paged<Event> {
    const path = `/accounts/${encodeURIComponent(id)}/events`
    return this.#list(path, {}, (page: EventPage) => page.events, options)
  }

  /** The shares of an account, newest first. */
  accountShares(
    id: string,
    filter: ListFilter<ListAccountSharesData['query']> = {},
    options?: CallOptions,
  ): Paged<ListedShare> {
    const path = `/accounts/${encodeURIComponent(id)}/shares`
    return this.#list(path, filter, (page: SharePage) => page.shares, options)
  }

  /** Rejects all credentials of an account and hides its shares. */
  suspend(id: string, decision: Decision, options?: CallOptions): Promise<OperatedAccount> {
    return this.#act(`/accounts/${encodeURIComponent(id)}/suspend`, decision, options)
  }

  /** Ends the suspension of an account. */
  resume(id: string, decision: Decision, options?: CallOptions): Promise<OperatedAccount> {
    return this.#act(`/accounts/${encodeURIComponent(id)}/resume`, decision, options)
  }

  /** Gives an account Pro until a time. */
  grantPlan(id: string, grant: GrantPlanData['body'], options?: CallOptions): Promise<OperatedPlan> {
    return this.#act(`/accounts/${encodeURIComponent(id)}/grant-plan`, grant, options)
  }

  /** Ends a plan that was given by hand. */
  endPlanGrant(id: string, reason: string, options?: CallOptions): Promise<OperatedPlan> {
    return this.#act(`/accounts/${encodeURIComponent(id)}/end-grant`, { reason }, options)
  }

  /** The metadata of a share in any state. */
  share(id: string, options?: CallOptions): Promise<OperatedShare> {
    return this.#get(`/shares/${encodeURIComponent(id)}`, {}, options)
  }

  /** Makes a share return 410; its data is kept for 30 days. */
  disableShare(id: string, decision: Decision, options?: CallOptions): Promise<OperatedShare> {
    return this.#act(`/shares/${encodeURIComponent(id)}/disable`, decision, options)
  }

  /** Undoes `disableShare`. */
  enableShare(id: string, decision: Decision, options?: CallOptions): Promise<OperatedShare> {
    return this.#act(`/shares/${encodeURIComponent(id)}/enable`, decision, options)
  }

  /** What operators did, newest first. */
  acts(filter: ListFilter<ListActsData['query']> = {}, options?: CallOptions): Paged<OperatorAct> {
    return this.#list('/acts', filter, (page: OperatorActPage) => page.acts, options)
  }

  /** The state of queues and payments. */
  queues(options?: CallOptions): Promise<QueueList> {
    return this.#get('/queues', {}, options)
  }
}
