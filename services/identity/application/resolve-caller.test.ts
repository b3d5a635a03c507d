import { expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import { memoryAccountStore } from '../adapters/memory-account-store.js'
import { memoryState } from '../adapters/memory-state.js'
import { accountId } from '../domain/account.js'
import type { AccountStore } from '../ports.js'
import { resolveCaller } from './resolve-caller.js'

const claims = {
  issuer: 'https://issuer.example',
  subject: 'ada',
  profile: { email: 'ada@example.com', emailVerified: true, name: 'Ada', picture: null },
}

function ports(): {
  accounts: AccountStore
  ids: { next: () => ReturnType<typeof accountId> }
  writes: () => number
} {
  const accounts = memoryAccountStore(memoryState(() => new Date(0)))
  let made = 0
  let writes = 0
  const counted: AccountStore = {
    ...accounts,
    upsert: (...given) => {
      writes += 1
      return accounts.upsert(...given)
    },
  }
  return { accounts: counted, ids: { next: () => accountId(`id-${++made}`) }, writes: () => writes }
}

it('an account is made on first sight and found afterwards without a write', async () => {
  const given = ports()
  const first = await resolveCaller(given, claims)
  expect(first).toMatchObject({ plan: 'free', profile: claims.profile })
  expect(await resolveCaller(given, claims)).toEqual(first)
  expect(given.writes()).toBe(1)
})

it('a changed profile is brought up to date in the same account', async () => {
  const given = ports()
  const first = await resolveCaller(given, claims)
  const renamed = await resolveCaller(given, { ...claims, profile: { ...claims.profile, name: 'A. L.' } })
  expect(renamed).toEqual({ ...first, profile: { ...claims.profile, name: 'A. L.' } })
})

it('an address counts as verified only when there is one', async () => {
  const profile = { ...claims.profile, email: null, emailVerified: true }
  expect((await resolveCaller(ports(), { ...claims, profile })).profile.emailVerified).toBe(false)
})

it('a subject or issuer that a database could stumble over is refused', async () => {
  for (const subject of ['', 'a\u0000b', 'x'.repeat(256), 'é', 'a\nb']) {
    await expect(resolveCaller(ports(), { ...claims, subject }), JSON.stringify(subject)).rejects.toThrow(
      DomainError,
    )
  }
  await expect(resolveCaller(ports(), { ...claims, issuer: '' })).rejects.toThrow(DomainError)
})

it('a name that a database could stumble over loses what cannot be stored', async () => {
  const profile = { ...claims.profile, name: 'A\u0000da \ud800' }
  expect((await resolveCaller(ports(), { ...claims, profile })).profile.name).toBe('Ada \ufffd')
})
