import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { unavailable } from '#libs/core/domain-error.js'
import { createLogger } from '#libs/log/logger.js'
import type { EventLog } from '../ports.js'
import type { BillingFixture } from '../testing/billing-fixture.js'
import { memoryBilling } from '../testing/memory-billing.js'
import { httpWebhook } from './http-webhook.js'
import { signedProviderEvents } from './signed-provider-events.js'

const secret = 'whsec_of_the_tests'
const bytesMax = 4 * 1024 * 1024
let fixture: BillingFixture
let eventLog: EventLog
let woken: number
let server: ReturnType<typeof httpWebhook>
let url: string

beforeEach(async () => {
  fixture = memoryBilling()
  woken = 0
  eventLog = { ...fixture.eventLog }
  const providerEvents = signedProviderEvents({ secrets: [secret], live: false, now: () => new Date() })
  const record: EventLog['record'] = (event) => eventLog.record(event)
  server = httpWebhook(
    { providerEvents, eventLog: { ...fixture.eventLog, record } },
    createLogger('test', 'silent'),
    () => {
      woken += 1
    },
    bytesMax,
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/stripe`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

function sign(body: string | Buffer, time = Math.floor(Date.now() / 1_000)): Record<string, string> {
  const digest = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')
  return { 'Stripe-Signature': `t=${time},v1=${digest}` }
}

function event(id: string): string {
  const object = { id: 'sub_1', object: 'subscription', customer: 'cus_1' }
  return JSON.stringify({
    id,
    object: 'event',
    type: 'customer.subscription.updated',
    livemode: false,
    data: { object },
  })
}

async function post(
  body: NonNullable<RequestInit['body']>,
  headers: Record<string, string>,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, { method: 'POST', body, headers, ...({ duplex: 'half' } as object) })
  return { status: response.status, body: await response.json() }
}

it('an event is stored before it is acknowledged, and processed once however often it arrives', async () => {
  const body = event('evt_1')
  for (let times = 0; times < 3; times += 1) {
    expect(await post(body, sign(body))).toEqual({ status: 200, body: { received: true } })
  }
  expect(woken).toBe(1)
  expect(await fixture.eventLog.claim(10, 1_000)).toMatchObject([
    { id: 'evt_1', subscriptionId: 'sub_1', customerId: 'cus_1', modeMatches: true },
  ])
})

it('an event not signed by the provider is rejected and not stored', async () => {
  const body = event('evt_1')
  const signature = sign(body)
  const stale = sign(body, Math.floor(Date.now() / 1_000) - 400)
  const spaced = JSON.stringify(JSON.parse(body), null, 1)
  const forgeries: [string, Record<string, string>][] = [
    [body, {}],
    [body, stale],
    [spaced, signature],
    [body.slice(0, -1), signature],
    [`${body} `, signature],
  ]
  for (const [sent, headers] of forgeries) {
    expect(await post(sent, headers)).toMatchObject({ status: 400, body: { code: 'invalid_signature' } })
  }
  expect(await fixture.eventLog.claim(10, 1_000)).toEqual([])
})

it('an event that cannot be stored is not acknowledged, so that the provider sends it again', async () => {
  const body = event('evt_1')
  const kept = eventLog.record
  eventLog.record = async () => {
    throw unavailable('Service temporarily unavailable: the database cannot be reached. Try again.')
  }
  expect(await post(body, sign(body))).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  eventLog.record = async () => {
    throw new Error('a fault of ours')
  }
  const fault = await post(body, sign(body))
  expect(fault).toEqual({ status: 500, body: { code: 'internal', detail: 'Something went wrong.' } })
  eventLog.record = kept
  expect((await post(body, sign(body))).status).toBe(200)
})

it('too large a body gets 413, with or without a declared length, and other requests get 404', async () => {
  const long = Buffer.alloc(1024 * 1024 + 1, 0x20)
  expect((await post(long, sign(long))).status).toBe(413)
  const chunks = new ReadableStream({
    start(controller) {
      for (let n = 0; n < 17; n += 1) controller.enqueue(new Uint8Array(64 * 1024))
      controller.close()
    },
  })
  expect((await post(chunks, sign('the first piece'))).status).toBe(413)
  expect((await fetch(url)).status).toBe(404)
  expect((await fetch(url.replace('/webhooks/stripe', '/'), { method: 'POST' })).status).toBe(404)
})

/** Sends a part of an event, and returns the status of the response. */
function begin(part: Buffer, headers: Record<string, string>) {
  const sent = httpRequest(url, { method: 'POST', headers: { ...headers, 'Content-Length': 1024 * 1024 } })
  const status = new Promise<number | undefined>((resolve) => {
    sent.once('response', (response: IncomingMessage) => resolve(response.resume().statusCode))
    sent.on('error', () => resolve(undefined))
  })
  sent.write(part)
  return { sent, status }
}

it('the body of an event with an invalid signature header is not read', async () => {
  const stale = sign('{}', Math.floor(Date.now() / 1_000) - 301)
  for (const headers of [{}, stale, { 'Stripe-Signature': 't=1' }]) {
    const { sent, status } = begin(Buffer.from('{'), headers)
    expect(await status).toBe(400)
    sent.destroy()
  }
})

it('concurrent events take limited memory, and more get 503 with Retry-After', async () => {
  const part = Buffer.alloc(1024 * 1024 - 1, 0x20)
  const pending = Array.from({ length: 4 }, () => begin(part, sign('forged')))
  const body = event('evt_1')
  const send = () => fetch(url, { method: 'POST', body, headers: sign(body) })
  await expect.poll(async () => (await send()).status).toBe(503)
  const busy = await send()
  expect(busy.headers.get('retry-after')).toBe('1')
  expect(await busy.json()).toMatchObject({ code: 'unavailable' })
  for (const { sent } of pending) sent.destroy()
  await expect.poll(async () => (await send()).status).toBe(200)
})
