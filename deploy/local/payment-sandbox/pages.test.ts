import { expect, it } from 'vitest'
import { checkoutPage, portalPage } from './pages.js'
import { servePages } from './serve-pages.js'
import { emptyState } from './state.js'
import { createWorld } from './world.js'

const hostile = `"><script>alert(1)</script>&'\u202e@example.com`

function hostileWorld() {
  const world = createWorld(emptyState(), 'http://sandbox', Date.now)
  const { id: customer } = world.createCustomer(hostile, {})
  const checkout = world.createCheckout({
    customer,
    interval: 'month',
    successUrl: 'https://a.example/"><script>',
    cancelUrl: 'https://a.example/"><script>',
    clientReference: null,
    metadata: {},
    subscriptionMetadata: {},
  })
  return { world, checkout, portal: world.createPortal(customer, 'https://a.example/"><script>') }
}

it('nothing of a customer or an address is markup, on any page', () => {
  const { world, checkout, portal } = hostileWorld()
  const pages = [checkoutPage(world, checkout, true), portalPage(world, portal)]
  world.pay(checkout)
  pages.push(checkoutPage(world, checkout, false), portalPage(world, portal))
  checkout.status = 'expired'
  pages.push(checkoutPage(world, checkout, false))
  for (const { body, headers } of pages) {
    expect(body).not.toContain('<script')
    expect(body).not.toContain('\u202e')
    expect(headers['Content-Security-Policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(headers['Cache-Control']).toBe('no-store')
  }
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 410])
})

it('the portal cancels, goes on, lets payments fail, and puts the clock forward, for its own customer alone', () => {
  const { world, checkout, portal } = hostileWorld()
  world.pay(checkout)
  const [subscription] = Object.values(world.state.subscriptions)
  const press = (path: string) => servePages(world, 'POST', `/portal/${portal.id}/${path}`)?.status
  expect(press(`subscriptions/${subscription?.id}/cancel`)).toBe(303)
  expect(subscription?.cancelAtPeriodEnd).toBe(true)
  expect(press(`subscriptions/${subscription?.id}/resume`)).toBe(303)
  expect(press('payments/fail')).toBe(303)
  expect(press('clock/month')).toBe(303)
  expect(subscription?.status).toBe('past_due')
  expect(press('payments/succeed')).toBe(303)
  expect(subscription?.status).toBe('active')
  const before = world.now()
  expect(press('clock/day')).toBe(303)
  expect(world.now() - before).toBe(86_400)
  const stranger = world.createPortal(world.createCustomer(null, {}).id, 'https://a.example')
  const foreign = `/portal/${stranger.id}/subscriptions/${subscription?.id}/cancel`
  expect(servePages(world, 'POST', foreign)?.status).toBe(404)
  for (const path of ['nothing', 'clock/year', 'subscriptions/sub_none/cancel']) expect(press(path)).toBe(404)
  expect(servePages(world, 'GET', '/portal/__proto__')?.status).toBe(404)
  expect(servePages(world, 'GET', '/elsewhere')).toBeNull()
})
