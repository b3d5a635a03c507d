import { memoryIdentity } from '../testing/memory-identity.js'
import { accountStoreContract } from './account-store-contract.js'
import { apiKeyStoreContract } from './api-key-store-contract.js'

accountStoreContract('accounts in memory', async () => memoryIdentity().ports.accounts)
apiKeyStoreContract('API keys in memory', async () => {
  const { ports, passTime } = memoryIdentity()
  return { ...ports, passTime: async (ms) => passTime(ms) }
})
