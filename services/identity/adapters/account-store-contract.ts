import { beforeEach, describe, expect, it } from 'vitest'
import { accountId, type Identity, type ProfileData } from '../domain/account.js'
import type { AccountStore } from '../ports.js'

const profile: ProfileData = { email: 'ada@example.com', emailVerified: true, name: 'Ada', picture: null }
const ada: Identity = { issuer: 'https://issuer.example', subject: 'ada' }

/** Pairs that careless code would treat as equal: by case, normal form, white space or concatenation. */
function lookalikes(): readonly (readonly [Identity, Identity])[] {
  const subjects: [string, string][] = [
    ['kim', 'Kim'],
    ['a.b', 'a.B'],
    ['x', 'x '],
    ['1', '01'],
    ['user|1', 'user|1|'],
  ]
  const issuers: [string, string][] = [
    ['https://a.example', 'https://a.example/'],
    ['https://a.example', 'https://A.example'],
    ['https://a.example', 'http://a.example'],
    ['https://a.example/x', 'https://a.example/X'],
    ['https://xn--a-0ga.example', 'https://xn--a-0gA.example'],
  ]
  return subjects.flatMap(([one, other]) =>
    issuers.flatMap(([here, there]): [Identity, Identity][] => [
      [
        { issuer: here, subject: one },
        { issuer: here, subject: other },
      ],
      [
        { issuer: here, subject: one },
        { issuer: there, subject: one },
      ],
    ]),
  )
}

/** What every `AccountStore` does. */
export function accountStoreContract(name: string, open: () => Promise<AccountStore>): void {
  describe(name, () => {
    let store: AccountStore
    let ids = 0
    const nextId = () => accountId(`account-${String(++ids).padStart(6, '0')}`)

    beforeEach(async () => {
      store = await open()
    })

    it('finds no account before one is created', async () => {
      expect(await store.find(ada)).toBeNull()
      expect(await store.setPlan(accountId('nobody'), 'pro', 1)).toBeNull()
    })

    it('creates an account on the Free plan, and finds it again', async () => {
      const made = await store.upsert(nextId(), ada, profile, null)
      expect(made).toMatchObject({ plan: 'free', profile })
      expect(made.createdAt.getTime() % 1).toBe(0)
      expect(await store.find(ada)).toEqual(made)
    })

    it('changes only the profile of an account', async () => {
      const made = await store.upsert(nextId(), ada, profile, null)
      const changed = await store.upsert(nextId(), ada, { ...profile, name: 'Ada L.' }, null)
      expect(changed).toEqual({ ...made, profile: { ...profile, name: 'Ada L.' } })
    })

    it('keeps the profile of the most recently issued token, in any order', async () => {
      const at = (seconds: number) => new Date(1_780_000_000_000 + seconds * 1_000)
      const named = (name: string) => ({ ...profile, name })
      const first = await store.upsert(nextId(), ada, named('first'), null)
      expect(first.profileIssuedAt).toBeNull()
      const second = await store.upsert(nextId(), ada, named('second'), at(10))
      expect(second).toEqual({ ...first, profile: named('second'), profileIssuedAt: at(10) })
      expect(await store.upsert(nextId(), ada, named('older'), at(9))).toEqual(second)
      expect(await store.find(ada)).toEqual(second)
      expect((await store.upsert(nextId(), ada, named('of the same second'), at(10))).profile.name).toBe(
        'of the same second',
      )
      expect(await store.upsert(nextId(), ada, named('untold'), null)).toMatchObject({
        profile: { name: 'untold' },
        profileIssuedAt: at(10),
      })
      expect((await store.upsert(nextId(), ada, named('newer'), at(11))).profileIssuedAt).toEqual(at(11))
    })

    it('creates one account in 100 parallel first calls', async () => {
      const made = await Promise.all(
        Array.from({ length: 100 }, () => store.upsert(nextId(), ada, profile, null)),
      )
      expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    })

    it('records a plan once for each version, in any order', async () => {
      const { id } = await store.upsert(nextId(), ada, profile, null)
      expect(await store.setPlan(id, 'pro', 2)).toMatchObject({ applied: true, account: { plan: 'pro' } })
      expect(await store.setPlan(id, 'free', 1)).toMatchObject({ applied: false, account: { plan: 'pro' } })
      expect(await store.setPlan(id, 'free', 2)).toMatchObject({ applied: false, account: { plan: 'pro' } })
      expect(await store.setPlan(id, 'free', 3)).toMatchObject({ applied: true, account: { plan: 'free' } })
      expect(await store.find(ada)).toMatchObject({ plan: 'free' })
    })

    it('keeps 50 pairs of lookalikes apart, even with the same e-mail address', async () => {
      const pairs = lookalikes()
      expect(pairs).toHaveLength(50)
      for (const [one, other] of pairs) {
        const first = await store.upsert(nextId(), one, profile, null)
        const second = await store.upsert(nextId(), other, profile, null)
        expect(second.id, JSON.stringify([one, other])).not.toBe(first.id)
        expect((await store.find(one))?.id).toBe(first.id)
      }
    })

    it('keeps e-mail addresses unchanged: none is folded, normalised or unique', async () => {
      const emails = [
        'K@example.com',
        'k@example.com',
        '\u212a@example.com',
        'ı@x.example',
        'I@x.example',
        'e\u0301@x',
        '\u00e9@x',
        'k@example.com',
      ]
      for (const [index, email] of emails.entries()) {
        const identity = { ...ada, subject: `mail-${index}` }
        await store.upsert(nextId(), identity, { ...profile, email }, null)
        expect((await store.find(identity))?.profile.email).toBe(email)
      }
    })
  })
}
