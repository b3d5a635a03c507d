import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLogger } from '#libs/log/logger.js'
import { type Deliveries, startDeliveries } from './deliveries.js'
import { createSandboxModel, type SandboxModel } from './sandbox-model.js'
import { emptyState } from './state.js'

const secret = 'whsec_of_the_tests'

let model: SandboxModel
let deliveries: Deliveries
let listener: Server
let arrived: string[]
let statuses: number[]
let kept: number

beforeEach(async () => {
  arrived = []
  statuses = []
  kept = 0
  listener = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const signature = request.headers['stripe-signature'] ?? ''
    arrived.push(Stripe.webhooks.constructEvent(Buffer.concat(chunks), signature, secret).id)
    response.writeHead(statuses.shift() ?? 200).end()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`
  model = createSandboxModel(emptyState(), 'http://sandbox', Date.now)
  const settings = { webhookUrl: () => url, secret, log: createLogger('test', 'silent') }
  deliveries = startDeliveries(model.state, settings, async () => {
    kept += 1
  })
})
afterEach(async () => {
  await deliveries.stop()
  listener.closeAllConnections()
  listener.close()
})

const events = () => Object.values(model.state.events)
const delivered = () => expect.poll(() => events().filter(({ delivered }) => !delivered)).toEqual([])

it('every event is delivered, signed, and marked as delivered', async () => {
  for (let n = 0; n < 30; n += 1) model.createCustomer(null, {})
  deliveries.wake()
  await delivered()
  expect(arrived.toSorted()).toEqual(
    events()
      .map(({ id }) => id)
      .toSorted(),
  )
  expect(kept).toBeGreaterThan(0)
})

it('failed deliveries are retried a second later', async () => {
  statuses = [503]
  model.createCustomer(null, {})
  deliveries.wake()
  const began = Date.now()
  await delivered()
  expect(arrived).toHaveLength(2)
  expect(Date.now() - began).toBeGreaterThanOrEqual(900)
  expect(events()[0]).toMatchObject({ delivered: true, attempts: 1 })
})

it('nothing is delivered while deliveries are held', async () => {
  deliveries.hold(true)
  model.createCustomer(null, {})
  await sleep(400)
  expect(arrived).toEqual([])
  deliveries.hold(false)
  await delivered()
  expect(arrived).toHaveLength(1)
})
