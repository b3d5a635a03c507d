import { afterAll, beforeAll } from 'vitest'
import { openPostgresBilling, type PostgresBilling } from '../testing/postgres-billing.js'
import { accountStoreContract } from './account-store-contract.js'
import { queueContract } from './queue-contract.js'

let fixture: PostgresBilling

beforeAll(async () => {
  fixture = await openPostgresBilling('billing_stores')
})
afterAll(() => fixture?.close())

const open = () => fixture.reset()

accountStoreContract('accounts in Postgres', open)
queueContract('queues in Postgres', open)
