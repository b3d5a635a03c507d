import { accountStoreContract } from './account-store-contract.js'
import { memoryAccountStore } from './memory-account-store.js'

accountStoreContract('accounts in memory', async () => memoryAccountStore(() => new Date(0)))
