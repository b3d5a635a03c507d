import { expect, it } from 'vitest'
import { checkoutPage, portalPage } from './pages.js'
import { createSandboxModel } from './sandbox-model.js'
import { servePages } from './serve-pages.js'
import { emptyState } from './state.js'

const hostile = `"><script>alert(1)</script>&'\u202e@example.com`

function hostileModel() {
  const model = createSandboxModel(emptyState(), 'http://sandbox', Date.now)
  const { id: customer } = model.createCustomer(hostile, {})
  const checkout = model.createCheckout({
    customer,
    interval: 'month',
    successUrl: 'https://a.example/"><script>',
    cancelUrl: 'https://a.example/"><script>',
    clientReference: null,
    metadata: {},
    subscriptionMetadata: {},
  })
  return { model, checkout, portal: model.createPortal(customer, 'https://a.example/"><script>') }
}

it('all user data is escaped on every page', () => {
  const { model, checkout, portal } = hostileModel()
  const pages = [checkoutPage(model, checkout, true), portalPage(model, portal)]
  model.pay(checkout)
  pages.push(checkoutPage(model, checkout, false), portalPage(model, portal))
  checkout.status = 'expired'
  pages.push(checkoutPage(model, checkout, false))
  for (const { body, headers } of pages) {
    expect(body).not.toContain('<script')
    expect(body).not.toContain('\u202e')
    expect(headers['Content-Security-Policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(headers['Cache-Control']).toBe('no-store')
  }
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 410])
})

it('the portal cancels, resumes, fails payments and moves the clock, only for its own customer', () => {
  const { model, checkout, portal } = hostileModel()
  model.pay(checkout)
  const [subscription] = Object.values(model.state.subscriptions)
  const press = (path: string) => servePages(model, 'POST', `/portal/${portal.id}/${path}`)?.status
  expect(press(`subscriptions/${subscription?.id}/cancel`)).toBe(303)
  expect(subscription?.cancelAtPeriodEnd).toBe(true)
  expect(press(`subscriptions/${subscription?.id}/resume`)).toBe(303)
  expect(press('payments/fail')).toBe(303)
  expect(press('clock/month')).toBe(303)
  expect(subscription?.status).toBe('past_due')
  expect(press('payments/succeed')).toBe(303)
  expect(subscription?.status).toBe('active')
  const before = model.now()
  expect(press('clock/day')).toBe(303)
  expect(model.now() - before).toBe(86_400)
  const stranger = model.createPortal(model.createCustomer(null, {}).id, 'https://a.example')
  const foreign = `/portal/${stranger.id}/subscriptions/${subscription?.id}/cancel`
  expect(servePages(model, 'POST', foreign)?.status).toBe(404)
  for (const path of ['nothing', 'clock/year', 'subscriptions/sub_none/cancel']) expect(press(path)).toBe(404)
  expect(servePages(model, 'GET', '/portal/__proto__')?.status).toBe(404)
  expect(servePages(model, 'GET', '/elsewhere')).toBeNull()
})
