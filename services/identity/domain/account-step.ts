import { DomainError } from '#libs/core/domain-error.js'
import type { AccountId } from './account.js'

/** What an account became: closed by its owner, erased, or neither: restored, or suspended or resumed by an operator. */
export type AccountState = 'closed' | 'open' | 'erased'

/** The services that hold data of accounts, besides identity. Billing only runs with payments. */
export const dataServices = ['content', 'activity', 'billing'] as const
export type DataService = (typeof dataServices)[number]

/** What a service has to do for an account. */
export interface AccountStep {
  readonly accountId: AccountId
  readonly service: DataService
  readonly state: AccountState
  /** Distinguishes it from later steps of the account. */
  readonly version: number
  /** Whether the account's shares are hidden now: it is closed or suspended. */
  readonly hidden: boolean
  /** Grows with every change of `hidden`. */
  readonly hiddenVersion: number
}

/** What a service has to know at once. An erasure concerns all of them; nothing of activity depends on a closure. */
export const notifiedOfClosure: readonly DataService[] = ['content', 'billing']

/** 409: the account is being erased. */
export function erasureBegan(): DomainError {
  return new DomainError(
    'conflict',
    'account_erased',
    'This account can no longer be restored: it is being erased. Signing in later creates a new account.',
  )
}
