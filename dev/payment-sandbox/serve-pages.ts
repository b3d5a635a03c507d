import { passTime, payOverdue } from './clock.js'
import { checkoutPage, missingPage, portalPage } from './pages.js'
import { monthsLater, type SandboxModel } from './sandbox-model.js'
import { type SandboxResponse, seeOther } from './sandbox-response.js'
import type { SandboxCheckout, SandboxPortal } from './state.js'

const daySeconds = 86_400

/** Carries out the action of a button of the checkout page; `null` for an unknown one. */
export function decide(
  model: SandboxModel,
  checkout: SandboxCheckout,
  decision: string,
): SandboxResponse | null {
  switch (decision) {
    case 'pay':
      return model.pay(checkout) ? seeOther(checkout.successUrl) : checkoutPage(model, checkout, true)
    case 'decline':
      return checkoutPage(model, checkout, true)
    case 'abandon':
      return seeOther(checkout.cancelUrl)
    default:
      return null
  }
}

/** Makes a customer's payments succeed or fail from now on. If they succeed, overdue ones are paid at once. */
export function setPayments(model: SandboxModel, id: string, succeed: boolean): boolean {
  const customer = model.state.customers[id]
  if (customer === undefined) return false
  customer.paymentsSucceed = succeed
  for (const subscription of Object.values(model.state.subscriptions)) {
    if (subscription.customer === id) payOverdue(model, subscription)
  }
  return true
}

function changeInPortal(
  model: SandboxModel,
  portal: SandboxPortal,
  [what, which, how]: readonly string[],
): boolean {
  if (what === 'clock' && (which === 'day' || which === 'month')) {
    passTime(model, which === 'day' ? daySeconds : monthsLater(model.now(), 1) - model.now())
    return true
  }
  if (what === 'payments') return setPayments(model, portal.customer, which === 'succeed')
  const subscription = what === 'subscriptions' ? model.state.subscriptions[which ?? ''] : undefined
  if (subscription?.customer !== portal.customer || subscription.status === 'canceled') return false
  model.setCancelAtPeriodEnd(subscription, how === 'cancel')
  return true
}

/** Serves the pages and their buttons; `null` for any other path. */
export function servePages(model: SandboxModel, method: string, path: string): SandboxResponse | null {
  const [, kind, id = '', ...rest] = path.split('/')
  if (kind === 'pay') {
    const checkout = model.state.checkouts[id]
    if (checkout === undefined) return missingPage()
    if (method === 'GET' && rest.length === 0) return checkoutPage(model, checkout, false)
    return method === 'POST' ? (decide(model, checkout, rest.join('/')) ?? missingPage()) : missingPage()
  }
  if (kind !== 'portal') return null
  const portal = model.state.portals[id]
  if (portal === undefined) return missingPage()
  if (method === 'GET' && rest.length === 0) return portalPage(model, portal)
  if (method !== 'POST' || !changeInPortal(model, portal, rest)) return missingPage()
  return seeOther(`/portal/${id}`)
}
