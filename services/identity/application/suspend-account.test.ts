import { beforeEach, expect, it } from 'vitest'
import { decidedAtTerminal } from '#shared/core/audit-entry.js'
import { type AccountId, accountId, newIdentity } from '../domain/account.js'
import { type MemoryIdentity, memoryIdentity } from '../testing/memory-identity.js'
import { resumeAccount, suspendAccount } from './suspend-account.js'

const profile = { email: null, emailVerified: false, name: null, picture: null }
let identity: MemoryIdentity
let ann: AccountId
let notified: AccountId[]

const ports = () => ({
  accounts: identity.operator,
  callers: {
    async announce(id: AccountId) {
      notified.push(id)
      return 'told' as const
    },
  },
})

beforeEach(async () => {
  identity = memoryIdentity()
  notified = []
  ann = (
    await identity.ports.accounts.upsert(
      accountId('ann'),
      newIdentity('https://a.example', 'a'),
      profile,
      null,
    )
  ).id
})

const decision = decidedAtTerminal('spam')

it('a suspension and its end are announced, even when repeated', async () => {
  expect(await suspendAccount(ports(), ann, decision)).toMatchObject({ announced: 'told' })
  await suspendAccount(ports(), ann, decision)
  expect((await resumeAccount(ports(), ann, decision)).record.account.suspendedAt).toBeNull()
  expect(notified).toEqual([ann, ann, ann])
})

it('an unknown account is neither suspended nor announced', async () => {
  await expect(suspendAccount(ports(), accountId('nobody'), decision)).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(resumeAccount(ports(), accountId('nobody'), decision)).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(notified).toEqual([])
})
