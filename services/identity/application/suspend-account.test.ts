import { beforeEach, expect, it } from 'vitest'
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

it('a suspension and its end are announced, even when repeated', async () => {
  expect(await suspendAccount(ports(), ann, null)).toMatchObject({ announced: 'told' })
  await suspendAccount(ports(), ann, null)
  expect((await resumeAccount(ports(), ann)).record.account.suspendedAt).toBeNull()
  expect(notified).toEqual([ann, ann, ann])
})

it('an unknown account is neither suspended nor announced', async () => {
  await expect(suspendAccount(ports(), accountId('nobody'), null)).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(resumeAccount(ports(), accountId('nobody'))).rejects.toMatchObject({ code: 'not_found' })
  expect(notified).toEqual([])
})
