import { afterAll, beforeAll } from 'vitest'
import { checkoutCases } from '../testing/checkout-cases.js'
import { eventCases } from '../testing/event-cases.js'
import { openPostgresBilling, type PostgresBilling } from '../testing/postgres-billing.js'

let world: PostgresBilling

beforeAll(async () => {
  world = await openPostgresBilling('billing_use_cases')
})
afterAll(() => world?.close())

const open = () => world.reset()

checkoutCases('starting to pay, over Postgres', open)
eventCases('events, over Postgres', open)
