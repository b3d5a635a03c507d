import { afterAll, beforeAll } from 'vitest'
import { checkoutCases } from '../testing/checkout-cases.js'
import { closureCases } from '../testing/closure-cases.js'
import { eventCases } from '../testing/event-cases.js'
import { manualPlanCases } from '../testing/manual-plan-cases.js'
import { openPostgresBilling, type PostgresBilling } from '../testing/postgres-billing.js'

let fixture: PostgresBilling

beforeAll(async () => {
  fixture = await openPostgresBilling('billing_use_cases')
})
afterAll(() => fixture?.close())

const open = () => fixture.reset()

checkoutCases('starting to pay, over Postgres', open)
eventCases('events, over Postgres', open)
closureCases('closed accounts, over Postgres', open)
manualPlanCases('plans given by hand, over Postgres', open)
