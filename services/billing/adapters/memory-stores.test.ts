import { memoryBilling } from '../testing/memory-billing.js'
import { accountStoreContract } from './account-store-contract.js'
import { queueContract } from './queue-contract.js'

const open = async () => memoryBilling()

accountStoreContract('accounts in memory', open)
queueContract('queues in memory', open)
