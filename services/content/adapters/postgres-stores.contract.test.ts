import { afterAll, beforeAll } from 'vitest'
import { openPostgresWorld, type PostgresWorld } from '../testing/postgres-world.js'
import { documentRegistryContract } from './document-registry-contract.js'
import { documentStoreContract } from './document-store-contract.js'
import { idempotencyStoreContract } from './idempotency-store-contract.js'
import { listedDocumentStoreContract } from './listed-document-store-contract.js'
import { planChangeContract } from './plan-change-contract.js'
import { shareStoreContract } from './share-store-contract.js'
import { snippetListContract } from './snippet-list-contract.js'
import { snippetStoreContract } from './snippet-store-contract.js'
import { storageQuotaContract } from './storage-quota-contract.js'

let world: PostgresWorld

beforeAll(async () => {
  world = await openPostgresWorld('content_stores')
})
afterAll(() => world?.close())

const open = () => world.reset()

snippetStoreContract('snippets in Postgres', open)
snippetListContract('lists of snippets in Postgres', open)
shareStoreContract('shares in Postgres', open)
documentStoreContract('documents in Postgres', open)
listedDocumentStoreContract('documents in Postgres', open)
documentRegistryContract('the registry of documents in Postgres', open)
idempotencyStoreContract('idempotency keys in Postgres', open)
planChangeContract('a change of plan in Postgres', open)
storageQuotaContract('quotas of storage in Postgres', open)
