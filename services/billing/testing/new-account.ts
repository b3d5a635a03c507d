import type { BillingAccount } from '../domain/billing-account.js'
import type { AccountId } from '../domain/ids.js'

/** An account without any subscription or checkout. */
export function newAccount(id: AccountId): BillingAccount {
  return {
    id,
    customerId: null,
    emailKey: null,
    plan: 'free',
    planVersion: 0,
    subscription: null,
    manualPlan: null,
    checkout: null,
    unwanted: [],
  }
}
