import { afterEach, describe, expect, it } from 'vitest'
import {
  type ScriptedReply,
  type ScriptedRequest,
  type ScriptedStripe,
  scriptedStripe,
  stripeError,
} from '../testing/scripted-stripe.js'
import { stripeList, stripeSubscription } from '../testing/stripe-objects.js'
import { stripeClient } from './stripe-client.js'
import { undoStripeSubscription } from './undo-stripe-subscription.js'

const paid = (payment: object) => ({ id: 'inpay_1', object: 'invoice_payment', status: 'paid', payment })
const byIntent = (id: string) => paid({ type: 'payment_intent', payment_intent: id })
const refund = { body: { id: 're_1', object: 'refund', status: 'succeeded' } }
const missing = stripeError(404, 'resource_missing')

/** What Stripe returns by default: a subscription with one invoice, paid by one payment. */
const usual: Readonly<Record<string, ScriptedReply>> = {
  'DELETE /v1/subscriptions/sub_1': { body: stripeSubscription({ status: 'canceled' }) },
  'GET /v1/subscriptions/sub_1': { body: stripeSubscription({ status: 'canceled' }) },
  'GET /v1/invoices': stripeList([{ id: 'in_1', object: 'invoice' }]),
  'GET /v1/invoice_payments': stripeList([byIntent('pi_1')]),
  'POST /v1/refunds': refund,
}

let server: ScriptedStripe

async function undo(
  unusual: Readonly<Record<string, ScriptedReply | ((request: ScriptedRequest) => ScriptedReply)>> = {},
) {
  server = await scriptedStripe((request) => {
    const name = `${request.method} ${request.path}`
    const reply = unusual[name] ?? usual[name] ?? missing
    return typeof reply === 'function' ? reply(request) : reply
  })
  const settings = { priceMonth: 'm', priceYear: 'y', pricesFormer: [], timeoutMs: 20_000, retriesMax: 0 }
  await undoStripeSubscription(
    stripeClient({ secretKey: 'sk_test_1', apiBase: server.url, ...settings }),
    'sub_1',
  )
}

/** The refunds that were requested. */
function refunds() {
  return server.requests.filter(({ path }) => path === '/v1/refunds')
}

describe('undoing a subscription at Stripe', () => {
  afterEach(() => server.close())

  it('ends it without a final invoice, and refunds its payment in full, with a key of that payment', async () => {
    await undo()
    expect(server.requests[0]).toMatchObject({
      method: 'DELETE',
      params: { invoice_now: 'false', prorate: 'false' },
    })
    expect(refunds().map(({ params }) => params)).toEqual([{ payment_intent: 'pi_1' }])
    expect(refunds()[0]?.headers['idempotency-key']).toBe('undo-pi_1')
  })

  it('refunds every payment of every invoice', async () => {
    await undo({
      'GET /v1/invoices': stripeList([{ id: 'in_1' }, { id: 'in_2' }]),
      'GET /v1/invoice_payments': ({ params }) =>
        params.invoice === 'in_1'
          ? stripeList([byIntent('pi_1'), paid({ type: 'charge', charge: 'ch_1' })])
          : stripeList([paid({ type: 'payment_intent', payment_intent: { id: 'pi_2' } })]),
    })
    expect(refunds().map(({ params }) => params)).toEqual([
      { payment_intent: 'pi_1' },
      { charge: 'ch_1' },
      { payment_intent: 'pi_2' },
    ])
  })

  it('does not refund payments made outside Stripe', async () => {
    const elsewhere = stripeList([paid({ type: 'payment_record', payment_record: 'pr_1' })])
    await undo({ 'GET /v1/invoice_payments': elsewhere })
    expect(refunds()).toEqual([])
  })

  it.each([
    ['has ended', missing],
    ['can no longer be canceled', stripeError(400, null)],
  ])('also refunds one that %s', async (_name, canceling) => {
    await undo({ 'DELETE /v1/subscriptions/sub_1': canceling })
    expect(refunds()).toHaveLength(1)
  })

  it('fails, without a refund, while the subscription continues', async () => {
    const unusual = {
      'DELETE /v1/subscriptions/sub_1': stripeError(400, null),
      'GET /v1/subscriptions/sub_1': { body: stripeSubscription() },
    }
    await expect(undo(unusual)).rejects.toThrow()
    expect(refunds()).toEqual([])
  })

  it('does nothing for an unknown subscription', async () => {
    await undo({ 'DELETE /v1/subscriptions/sub_1': missing, 'GET /v1/invoices': missing })
    expect(refunds()).toEqual([])
  })

  it.each(['charge_already_refunded', 'charge_disputed'])('treats %s as refunded', async (code) => {
    await undo({ 'POST /v1/refunds': stripeError(400, code) })
    expect(refunds()).toHaveLength(1)
  })

  it('retries with another key if Stripe replays its own failure', async () => {
    await undo({
      'POST /v1/refunds': ({ headers }) =>
        headers['idempotency-key'] === 'undo-pi_1' ? stripeError(500, null, 'api_error') : refund,
    })
    expect(refunds()).toHaveLength(2)
  })

  it.each(['DELETE /v1/subscriptions/sub_1', 'POST /v1/refunds'])(
    'does not take a failure without a reason for success: %s',
    async (name) => {
      await expect(undo({ [name]: { status: 500, body: {} } })).rejects.toThrow()
    },
  )

  it.each([
    ['Stripe fails', stripeError(500, null, 'api_error')],
    ['the connection breaks', 'reset' as const],
    ['a refund is refused', stripeError(400, 'insufficient_funds')],
  ])('fails when %s', async (_name, reply) => {
    await expect(undo({ 'POST /v1/refunds': reply })).rejects.toThrow()
  })
})
