import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { iterations } from './harness/iterations.js'
import type { PaymentSide } from './harness/payment-side.js'
import { signWebhook, webhookSecrets } from './harness/payment-side.js'
import { quantile } from './harness/quantile.js'
import { own, subscribeAs } from './harness/subscribe.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let payments: PaymentSide

beforeAll(async () => {
  system = await startSystem({ gateways: 3, payments: { billings: 2 } })
  if (system.payments === null) throw new Error('there are no payments')
  payments = system.payments
})
afterAll(() => system?.stop())

describe('the webhook', () => {
  const post = (body: string | Buffer, signature?: string) =>
    system.anyone().request('POST', '/api/webhooks/stripe', {
      body,
      headers: signature === undefined ? {} : { 'Stripe-Signature': signature },
    })
  const eventAbout = (id: string, n: number) =>
    JSON.stringify({
      id: `evt_test_${n}`,
      object: 'event',
      type: 'customer.subscription.updated',
      livemode: false,
      data: { object: { id, object: 'subscription', customer: 'cus_of_nobody' } },
    })

  it('accepts signatures by either secret, and nothing forged', async () => {
    const now = Math.floor(Date.now() / 1_000)
    for (const [n, secret] of webhookSecrets.entries()) {
      const body = eventAbout('sub_1', n)
      expect((await post(body, signWebhook(body, secret))).status).toBe(200)
    }
    const body = eventAbout('sub_1', 9)
    const good = signWebhook(body)
    const forged: [string | Buffer, string | undefined][] = [
      [body, undefined],
      [body, ''],
      [body, signWebhook(body, 'whsec_of_somebody_else')],
      [body, signWebhook(body, webhookSecrets[0], now - 330)],
      [body, signWebhook(body, webhookSecrets[0], now + 330)],
      [JSON.stringify(JSON.parse(body), null, 2), good],
      [body.slice(0, -1), good],
      [`${body}\n`, good],
      [body, good.replace('v1=', 'v0=')],
    ]
    for (const [sent, signature] of forged) {
      const response = await post(sent, signature)
      expect([response.status, response.json().code]).toEqual([400, 'invalid_signature'])
    }
  })

  it('accepts events of 256 KB byte for byte, and rejects longer ones', async () => {
    const long = JSON.stringify({ ...JSON.parse(eventAbout('sub_1', 20)), filler: 'ü'.repeat(128_000) })
    expect((await post(long, signWebhook(long))).status).toBe(200)
    expect((await post(Buffer.alloc(1_048_577, 0x20), 't=1,v1=')).status).toBe(413)
  })

  it('is never limited, responds within half a second, and processes each event once over two processes', async () => {
    const count = iterations(300, 1_000)
    const { user, id } = await subscribeAs(system, 'many-events')
    const customer = await payments.customerOf(id)
    const bodies = Array.from({ length: Math.ceil(count * 0.7) }, (_, n) =>
      eventAbout(id, 1_000 + n).replace('cus_of_nobody', customer),
    )
    const sent = [...bodies, ...bodies.slice(0, count - bodies.length)].toSorted(() => Math.random() - 0.5)
    const times: number[] = []
    for (let from = 0; from < sent.length; from += 20) {
      await Promise.all(
        sent.slice(from, from + 20).map(async (body, n) => {
          const began = performance.now()
          const url =
            n % 2 === 0 ? `${system.baseUrl()}/api/webhooks/stripe` : (payments.webhookUrls[1] ?? '')
          const headers = { 'Stripe-Signature': signWebhook(body, webhookSecrets[n % 2]) }
          const response = await fetch(url, { method: 'POST', body, headers })
          await response.body?.cancel()
          expect(response.status).toBe(200)
          times.push(performance.now() - began)
        }),
      )
    }
    const p99 = quantile(times, 0.99)
    process.stdout.write(`${count} events, 99 % acknowledged within ${Math.round(p99)} ms\n`)
    expect(await own(user)).toMatchObject({ plan: 'pro', status: 'active' })
  })
})
