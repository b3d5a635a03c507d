import { passTime, payOverdue } from './clock.js'
import { checkoutPage, missingPage, portalPage, styleSheet, styleSheetPath } from './pages.js'
import { type SandboxResponse, seeOther } from './sandbox-response.js'
import type { SandboxCheckout, SandboxPortal } from './state.js'
import { monthsLater, type SandboxWorld } from './world.js'

const daySeconds = 86_400

/** What one of the three buttons does, or the API for tests in their place; `null` for another word. */
export function decide(
  world: SandboxWorld,
  checkout: SandboxCheckout,
  decision: string,
): SandboxResponse | null {
  switch (decision) {
    case 'pay':
      return world.pay(checkout) ? seeOther(checkout.successUrl) : checkoutPage(world, checkout, true)
    case 'decline':
      return checkoutPage(world, checkout, true)
    case 'abandon':
      return seeOther(checkout.cancelUrl)
    default:
      return null
  }
}

/** Has a customer's payments go through or fail from now on; what is overdue is paid at once when they do. */
export function setPayments(world: SandboxWorld, id: string, succeed: boolean): boolean {
  const customer = world.state.customers[id]
  if (customer === undefined) return false
  customer.paymentsSucceed = succeed
  for (const subscription of Object.values(world.state.subscriptions)) {
    if (subscription.customer === id) payOverdue(world, subscription)
  }
  return true
}

function changeInPortal(
  world: SandboxWorld,
  portal: SandboxPortal,
  [what, which, how]: readonly string[],
): boolean {
  if (what === 'clock' && (which === 'day' || which === 'month')) {
    passTime(world, which === 'day' ? daySeconds : monthsLater(world.now(), 1) - world.now())
    return true
  }
  if (what === 'payments') return setPayments(world, portal.customer, which === 'succeed')
  const subscription = what === 'subscriptions' ? world.state.subscriptions[which ?? ''] : undefined
  if (subscription?.customer !== portal.customer || subscription.status === 'canceled') return false
  world.setCancelAtPeriodEnd(subscription, how === 'cancel')
  return true
}

/** Answers what people open and press; `null` for an address that is no page. */
export function servePages(world: SandboxWorld, method: string, path: string): SandboxResponse | null {
  if (path === styleSheetPath && method === 'GET') {
    const headers = {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
    }
    return { status: 200, headers, body: styleSheet }
  }
  const [, kind, id = '', ...rest] = path.split('/')
  if (kind === 'pay') {
    const checkout = world.state.checkouts[id]
    if (checkout === undefined) return missingPage()
    if (method === 'GET' && rest.length === 0) return checkoutPage(world, checkout, false)
    return method === 'POST' ? (decide(world, checkout, rest.join('/')) ?? missingPage()) : missingPage()
  }
  if (kind !== 'portal') return null
  const portal = world.state.portals[id]
  if (portal === undefined) return missingPage()
  if (method === 'GET' && rest.length === 0) return portalPage(world, portal)
  if (method !== 'POST' || !changeInPortal(world, portal, rest)) return missingPage()
  return seeOther(`/portal/${id}`)
}
