import { accountStoreContract } from '../adapters/account-store-contract.js'
import { queueContract } from '../adapters/queue-contract.js'
import { memoryBilling } from './memory-billing.js'

const open = async () => memoryBilling()

accountStoreContract('accounts in memory', open)
queueContract('queues in memory', open)
