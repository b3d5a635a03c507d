import { afterAll, beforeAll } from 'vitest'
import { openPostgresBilling, type PostgresBilling } from '../testing/postgres-billing.js'
import { accountStoreContract } from './account-store-contract.js'
import { queueContract } from './queue-contract.js'

let world: PostgresBilling

beforeAll(async () => {
  world = await openPostgresBilling('billing_stores')
})
afterAll(() => world?.close())

const open = () => world.reset()

accountStoreContract('accounts in Postgres', open)
queueContract('queues in Postgres', open)
