import { afterAll, beforeAll } from 'vitest'
import { dataServices } from '../domain/account-step.js'
import { openPostgresIdentity, type PostgresIdentity } from '../testing/postgres-identity.js'
import { accountStoreContract } from './account-store-contract.js'
import { apiKeyStoreContract } from './api-key-store-contract.js'
import { auditLogContract } from './audit-log-contract.js'
import { erasureStoreContract } from './erasure-store-contract.js'
import { eventStoreContract } from './event-store-contract.js'
import { keyRotationContract } from './key-rotation-contract.js'
import { operatorAccountsContract } from './operator-accounts-contract.js'
import { postgresAccountStore } from './postgres-account-store.js'
import { postgresApiKeyStore } from './postgres-api-key-store.js'
import { postgresAuditLog } from './postgres-audit-log.js'
import { postgresErasureStore } from './postgres-erasure-store.js'
import { postgresEventStore } from './postgres-event-store.js'
import { postgresOperatorAccounts } from './postgres-operator-accounts.js'
import { postgresTrustedPublisherStore } from './postgres-trusted-publisher-store.js'
import { trustEventsContract } from './trust-events-contract.js'
import { trustedPublisherStoreContract } from './trusted-publisher-store-contract.js'

let identity: PostgresIdentity

beforeAll(async () => {
  identity = await openPostgresIdentity('identity_stores')
})
afterAll(() => identity?.close())

accountStoreContract('accounts in Postgres', async () => {
  await identity.reset()
  return postgresAccountStore(identity.pool)
})
apiKeyStoreContract('API keys in Postgres', async () => {
  await identity.reset()
  const { pool, passTime } = identity
  return { accounts: postgresAccountStore(pool), apiKeys: postgresApiKeyStore(pool), passTime }
})
keyRotationContract('rotation of API keys in Postgres', async () => {
  await identity.reset()
  const { pool, passTime } = identity
  return { accounts: postgresAccountStore(pool), apiKeys: postgresApiKeyStore(pool), passTime }
})
erasureStoreContract('closed accounts in Postgres', async () => {
  await identity.reset()
  const { pool, passTime } = identity
  return {
    accounts: postgresAccountStore(pool),
    apiKeys: postgresApiKeyStore(pool),
    events: postgresEventStore(pool),
    operator: postgresOperatorAccounts(pool),
    erasures: postgresErasureStore(pool, dataServices),
    passTime,
  }
})
eventStoreContract('events in Postgres', async () => {
  await identity.reset()
  const { pool, passTime } = identity
  return {
    accounts: postgresAccountStore(pool),
    apiKeys: postgresApiKeyStore(pool),
    events: postgresEventStore(pool),
    operator: postgresOperatorAccounts(pool),
    passTime,
  }
})
operatorAccountsContract('accounts in Postgres as operators see them', async () => {
  await identity.reset()
  const { pool, passTime } = identity
  return {
    accounts: postgresAccountStore(pool),
    apiKeys: postgresApiKeyStore(pool),
    operator: postgresOperatorAccounts(pool),
    auditLog: postgresAuditLog(pool),
    passTime,
  }
})
auditLogContract('the audit log in Postgres', async () => {
  await identity.reset()
  const { pool, passTime } = identity
  return {
    accounts: postgresAccountStore(pool),
    operator: postgresOperatorAccounts(pool),
    erasures: postgresErasureStore(pool, dataServices),
    auditLog: postgresAuditLog(pool),
    passTime,
  }
})
trustedPublisherStoreContract('trusted publishers in Postgres', async () => {
  await identity.reset()
  const { pool, passTime } = identity
  return {
    accounts: postgresAccountStore(pool),
    trustedPublishers: postgresTrustedPublisherStore(pool),
    passTime,
  }
})
trustEventsContract('events of trusted publishers in Postgres', async () => {
  await identity.reset()
  const { pool, passTime } = identity
  return {
    accounts: postgresAccountStore(pool),
    trustedPublishers: postgresTrustedPublisherStore(pool),
    events: postgresEventStore(pool),
    passTime,
  }
})
