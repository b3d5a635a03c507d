import { expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import { randomIds } from '../adapters/random-identity-ids.js'
import { accountId } from '../domain/account.js'
import type { AccountStore, CallerInvalidation } from '../ports.js'
import { memoryAccountStore } from '../testing/memory-account-store.js'
import { memoryState } from '../testing/memory-state.js'
import { resolveCaller, resolveKnownCaller } from './resolve-caller.js'

const claims = {
  issuer: 'https://issuer.example',
  subject: 'ada',
  issuedAt: new Date(10_000),
  profile: { email: 'ada@example.com', emailVerified: true, name: 'Ada', picture: null },
}

function ports(now = () => new Date(0)): {
  accounts: AccountStore
  invalidation: CallerInvalidation
  invalidated: readonly string[]
  ids: typeof randomIds
  writes: () => number
} {
  const accounts = memoryAccountStore(memoryState(now))
  let made = 0
  let writes = 0
  const invalidated: string[] = []
  const invalidation = { invalidate: async (id: string) => void invalidated.push(id) }
  const counted: AccountStore = {
    ...accounts,
    upsert: (...given) => {
      writes += 1
      return accounts.upsert(...given)
    },
    noteSignIn: (id) => {
      writes += 1
      return accounts.noteSignIn(id)
    },
  }
  const ids = { ...randomIds, account: () => accountId(`id-${++made}`) }
  return { accounts: counted, ids, invalidation, invalidated, writes: () => writes }
}

it('an account is created on the first sign-in and found afterwards without a write', async () => {
  const given = ports()
  expect(await resolveKnownCaller(given, claims)).toBeNull()
  const { account: first, created } = await resolveCaller(given, claims)
  expect(first).toMatchObject({ plan: 'free', profile: claims.profile })
  expect(created).toBe(true)
  const known = { account: first, signedIn: false, created: false }
  expect(await resolveCaller(given, claims)).toEqual(known)
  expect(await resolveKnownCaller(given, claims)).toEqual(known)
  expect(given.writes()).toBe(1)
})

it('a changed profile is updated in the same account', async () => {
  const given = ports()
  const { account: first } = await resolveCaller(given, claims)
  const { account: renamed } = await resolveCaller(given, {
    ...claims,
    profile: { ...claims.profile, name: 'A. L.' },
  })
  expect(renamed).toEqual({ ...first, profile: { ...claims.profile, name: 'A. L.' } })
})

it('an older token is valid, and does not restore an old profile', async () => {
  const given = ports()
  const moved = { ...claims.profile, email: 'ada@new.example' }
  const { account } = await resolveCaller(given, { ...claims, issuedAt: new Date(20_000), profile: moved })
  const writes = given.writes()
  const { account: again } = await resolveCaller(given, claims)
  expect(again).toEqual(account)
  expect(again.profile.email).toBe('ada@new.example')
  expect(given.writes()).toBe(writes)
  const renamed = { ...moved, name: 'A. L.' }
  const latest = await resolveCaller(given, { ...claims, issuedAt: new Date(21_000), profile: renamed })
  expect(latest.account.profile).toEqual(renamed)
})

it('a missing e-mail address is never verified', async () => {
  const profile = { ...claims.profile, email: null, emailVerified: true }
  expect((await resolveCaller(ports(), { ...claims, profile })).account.profile.emailVerified).toBe(false)
})

it('a subject or issuer that a database cannot store is rejected', async () => {
  for (const subject of ['', 'a\u0000b', 'x'.repeat(256), 'é', 'a\nb']) {
    await expect(resolveCaller(ports(), { ...claims, subject }), JSON.stringify(subject)).rejects.toThrow(
      DomainError,
    )
  }
  await expect(resolveCaller(ports(), { ...claims, issuer: '' })).rejects.toThrow(DomainError)
})

it('a name loses characters that a database cannot store', async () => {
  const profile = { ...claims.profile, name: 'A\u0000da \ud800' }
  expect((await resolveCaller(ports(), { ...claims, profile })).account.profile.name).toBe('Ada \ufffd')
})

it('a sign-in is recorded once a day, and caches of the caller are invalidated', async () => {
  let time = 0
  const given = ports(() => new Date(time))
  const { account } = await resolveCaller(given, claims)
  const at = async (ms: number) => {
    time = ms
    const { signedIn } = await resolveCaller(given, claims)
    return [signedIn, given.writes()]
  }
  const day = 86_400_000
  expect(await at(day - 1)).toEqual([false, 1])
  expect(await at(day)).toEqual([true, 2])
  expect(await at(day + 1)).toEqual([false, 2])
  expect(await at(2 * day - 1)).toEqual([false, 2])
  expect(await at(2 * day)).toEqual([true, 3])
  expect(given.invalidated).toEqual([account.id, account.id])
})
