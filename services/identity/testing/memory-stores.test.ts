import { accountStoreContract } from '../adapters/account-store-contract.js'
import { apiKeyStoreContract } from '../adapters/api-key-store-contract.js'
import { auditLogContract } from '../adapters/audit-log-contract.js'
import { erasureStoreContract } from '../adapters/erasure-store-contract.js'
import { eventStoreContract } from '../adapters/event-store-contract.js'
import { keyRotationContract } from '../adapters/key-rotation-contract.js'
import { operatorAccountsContract } from '../adapters/operator-accounts-contract.js'
import { trustEventsContract } from '../adapters/trust-events-contract.js'
import { trustedPublisherStoreContract } from '../adapters/trusted-publisher-store-contract.js'
import { memoryIdentity } from './memory-identity.js'

accountStoreContract('accounts in memory', async () => memoryIdentity().ports.accounts)
apiKeyStoreContract('API keys in memory', async () => {
  const { ports, passTime } = memoryIdentity()
  return { ...ports, passTime: async (ms) => passTime(ms) }
})
keyRotationContract('rotation of API keys in memory', async () => {
  const { ports, passTime } = memoryIdentity()
  return { ...ports, passTime: async (ms) => passTime(ms) }
})
erasureStoreContract('closed accounts in memory', async () => {
  const { ports, operator, passTime } = memoryIdentity()
  return { ...ports, operator, passTime: async (ms) => passTime(ms) }
})
eventStoreContract('events in memory', async () => {
  const { ports, operator, passTime } = memoryIdentity()
  return { ...ports, operator, passTime: async (ms) => passTime(ms) }
})
operatorAccountsContract('accounts in memory as operators see them', async () => {
  const { ports, operator, passTime } = memoryIdentity()
  return { ...ports, operator, passTime: async (ms) => passTime(ms) }
})
auditLogContract('the audit log in memory', async () => {
  const { ports, operator, passTime } = memoryIdentity()
  return { ...ports, operator, passTime: async (ms) => passTime(ms) }
})
trustedPublisherStoreContract('trusted publishers in memory', async () => {
  const { ports, passTime } = memoryIdentity()
  return { ...ports, passTime: async (ms) => passTime(ms) }
})
trustEventsContract('events of trusted publishers in memory', async () => {
  const { ports, passTime } = memoryIdentity()
  return { ...ports, passTime: async (ms) => passTime(ms) }
})
