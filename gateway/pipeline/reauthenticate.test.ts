import { expect, it } from 'vitest'
import { readVariables } from '#libs/config/read-variables.js'
import { DomainError, unavailable } from '#libs/core/domain-error.js'
import { planCatalogue, planVariables } from '#shared/config/plan-variables.js'
import type { Caller, ProvenBy, RequestContext } from '../request/request-context.js'
import { createReauthenticate, watchCaller } from './reauthenticate.js'

const plans = planCatalogue(readVariables(planVariables, {}))
const context = { requestId: 'r', request: {} } as unknown as RequestContext
const token: ProvenBy = { kind: 'identity-token' }
const key: ProvenBy = { kind: 'api-key', id: 'k', secret: 1, scopes: ['read', 'write'] }

function caller(plan: 'free' | 'pro', provenBy: ProvenBy): Caller {
  return {
    accountId: 'ann',
    plan,
    planVersion: 1,
    provenBy,
    ...{ email: null, emailVerified: false, name: null, picture: null },
    createdAt: new Date(0),
  }
}

const refusal = new DomainError('unauthenticated', 'invalid_token', 'It has run out.')

it('the caller gets the account’s current plan', async () => {
  const now = caller('pro', token)
  expect(await createReauthenticate(async () => now, plans)(context, caller('free', token))).toBe(now)
})

it('a token that expired while the body arrived is still accepted', async () => {
  const before = caller('pro', token)
  const refuse = () => Promise.reject(refusal)
  expect(await createReauthenticate(refuse, plans)(context, before)).toBe(before)
  const fail = () => Promise.reject(unavailable('Down.'))
  await expect(createReauthenticate(fail, plans)(context, before)).rejects.toMatchObject({
    kind: 'unavailable',
  })
})

it('an API key that was revoked, or whose owner is no longer Pro, is rejected', async () => {
  const before = caller('pro', key)
  const refuse = () => Promise.reject(refusal)
  await expect(createReauthenticate(refuse, plans)(context, before)).rejects.toBe(refusal)
  const lapsed = createReauthenticate(async () => caller('free', key), plans)
  await expect(lapsed(context, before)).rejects.toMatchObject({ code: 'pro_required' })
  const going = createReauthenticate(async () => caller('pro', key), plans)
  expect(await going(context, before)).toMatchObject({ accountId: 'ann', plan: 'pro' })
})

it('a key that may only read goes on reading, and no more', async () => {
  const reader = caller('pro', { kind: 'api-key', id: 'k', secret: 1, scopes: ['read'] })
  const reauthenticate = createReauthenticate(async () => reader, plans)
  expect(await reauthenticate(context, reader, 'get')).toBe(reader)
  await expect(reauthenticate(context, reader)).rejects.toMatchObject({ code: 'insufficient_scope' })
})

it('a long request ends within 30 s once its key is revoked', async () => {
  let now = 0
  let revoked = false
  const recheck = async (): Promise<Caller> => {
    if (revoked) throw refusal
    return caller('pro', key)
  }
  const current = watchCaller(recheck, caller('free', key), () => now)
  expect(await current()).toMatchObject({ plan: 'free' })
  now = 30_000
  expect(await current()).toMatchObject({ plan: 'pro' })
  revoked = true
  now = 59_999
  expect(await current()).toMatchObject({ plan: 'pro' })
  now = 60_000
  await expect(current()).rejects.toBe(refusal)
})
