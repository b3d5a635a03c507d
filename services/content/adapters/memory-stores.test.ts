import { memoryWorld } from '../testing/memory-world.js'
import { documentRegistryContract } from './document-registry-contract.js'
import { documentStoreContract } from './document-store-contract.js'
import { idempotencyStoreContract } from './idempotency-store-contract.js'
import { planChangeContract } from './plan-change-contract.js'
import { shareStoreContract } from './share-store-contract.js'
import { snippetListContract } from './snippet-list-contract.js'
import { snippetStoreContract } from './snippet-store-contract.js'

const open = async () => memoryWorld()

snippetStoreContract('snippets in memory', open)
snippetListContract('lists of snippets in memory', open)
shareStoreContract('shares in memory', open)
documentStoreContract('documents in memory', open)
documentRegistryContract('the registry of documents in memory', open)
idempotencyStoreContract('idempotency keys in memory', open)
planChangeContract('a change of plan in memory', open)
