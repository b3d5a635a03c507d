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
import type { ListFilter, Paged } from './paged.js'
import { Resource } from './resource.js'
import type { ApiRequest, CallOptions } from './transport.js'

const base = '/api/operator'
const accountAt = (id: string): string => `${base}/accounts/${encodeURIComponent(id)}`
const shareAt = (id: string): string => `${base}/shares/${encodeURIComponent(id)}`

/** Why, for the record, and what the owner is told. */
export type Decision = SuspendAccountData['body']

/** What operators of an installation see and do. These calls need the ID token of an operator. */
export class Operator extends Resource {
  /** Repeating an act changes nothing, so it may be retried. */
  #act<T>(path: string, body: unknown, options?: CallOptions): Promise<T> {
    return this.read({ method: 'POST', path, body: jsonBody(JSON.stringify(body)) }, options)
  }

  #accounts(query: ApiRequest['query'], options?: CallOptions): Promise<readonly OperatedAccount[]> {
    const request = { method: 'GET', path: `${base}/accounts`, query } as const
    return this.read<OperatedAccountList>(request, options).then(({ accounts }) => accounts)
  }

  /** Reports of shares, newest first; open ones by default. */
  reports(filter: ListFilter<ListReportsData['query']> = {}, options?: CallOptions): Paged<Report> {
    return this.pagesAt(`${base}/reports`, filter, (page: ReportPage) => page.reports, options)
  }

  /** Closes a report. */
  resolveReport(id: string, reason: string, options?: CallOptions): Promise<Report> {
    return this.#act(`${base}/reports/${encodeURIComponent(id)}/resolve`, { reason }, options)
  }

  /** Accounts with this id, e-mail address or subject. */
  accounts(q: string, options?: CallOptions): Promise<readonly OperatedAccount[]> {
    return this.#accounts({ q }, options)
  }

  /** The next closing accounts to be erased. */
  closingAccounts(options?: CallOptions): Promise<readonly OperatedAccount[]> {
    return this.#accounts({ state: 'closing' }, options)
  }

  account(id: string, options?: CallOptions): Promise<OperatedAccountDetails> {
    return this.readAt(accountAt(id), options)
  }

  /** What happened in an account, newest first. */
  accountEvents(id: string, options?: CallOptions): Paged<Event> {
    const path = `${accountAt(id)}/events`
    return this.pagesAt(path, {}, (page: EventPage) => page.events, options)
  }

  /** The shares of an account, newest first. */
  accountShares(
    id: string,
    filter: ListFilter<ListAccountSharesData['query']> = {},
    options?: CallOptions,
  ): Paged<ListedShare> {
    const path = `${accountAt(id)}/shares`
    return this.pagesAt(path, filter, (page: SharePage) => page.shares, options)
  }

  /** Rejects all credentials of an account and hides its shares. */
  suspend(id: string, decision: Decision, options?: CallOptions): Promise<OperatedAccount> {
    return this.#act(`${accountAt(id)}/suspend`, decision, options)
  }

  /** Ends the suspension of an account. */
  resume(id: string, decision: Decision, options?: CallOptions): Promise<OperatedAccount> {
    return this.#act(`${accountAt(id)}/resume`, decision, options)
  }

  /** Gives an account Pro until a time. */
  grantPlan(id: string, grant: GrantPlanData['body'], options?: CallOptions): Promise<OperatedPlan> {
    return this.#act(`${accountAt(id)}/grant-plan`, grant, options)
  }

  /** Ends a plan that was given by hand. */
  endPlanGrant(id: string, reason: string, options?: CallOptions): Promise<OperatedPlan> {
    return this.#act(`${accountAt(id)}/end-grant`, { reason }, options)
  }

  /** The metadata of a share in any state. */
  share(id: string, options?: CallOptions): Promise<OperatedShare> {
    return this.readAt(shareAt(id), options)
  }

  /** Makes a share return 410; its data is kept for 30 days. */
  disableShare(id: string, decision: Decision, options?: CallOptions): Promise<OperatedShare> {
    return this.#act(`${shareAt(id)}/disable`, decision, options)
  }

  /** Undoes `disableShare`. */
  enableShare(id: string, decision: Decision, options?: CallOptions): Promise<OperatedShare> {
    return this.#act(`${shareAt(id)}/enable`, decision, options)
  }

  /** What operators did, newest first. */
  acts(filter: ListFilter<ListActsData['query']> = {}, options?: CallOptions): Paged<OperatorAct> {
    return this.pagesAt(`${base}/acts`, filter, (page: OperatorActPage) => page.acts, options)
  }

  /** The state of queues and payments. */
  queues(options?: CallOptions): Promise<QueueList> {
    return this.readAt(`${base}/queues`, options)
  }
}
