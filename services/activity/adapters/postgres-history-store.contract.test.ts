import { afterAll, beforeAll } from 'vitest'
import { openPostgresWorld, type PostgresWorld } from '../testing/postgres-world.js'
import { historyStoreContract } from './history-store-contract.js'
import { lapseContract } from './lapse-contract.js'

let world: PostgresWorld

beforeAll(async () => {
  world = await openPostgresWorld('activity_store')
})
afterAll(() => world?.close())

const open = () => world.reset()

historyStoreContract('history in Postgres', open)
lapseContract('a lapse in Postgres', open)
