import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess

beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system?.stop())

it('accounts that look alike stay separate: only issuer and subject identify a user', async () => {
  const pairs: [string, string][] = [
    ['kelvin', 'Kelvin'],
    ['kim', '\u006bim'.toUpperCase()],
    ['user', 'user '],
    ['a.b', 'a.B'],
    ['1', '01'],
  ]
  for (const [one, other] of pairs) {
    const claims = { email: 'same@example.com', email_verified: true }
    const clients = await Promise.all(
      [one, other].map(async (subject) => {
        const token = await system.issuer.token(subject, claims)
        return { get: (path: string) => system.anyone().get(path, { Authorization: `Bearer ${token}` }) }
      }),
    )
    const ids = await Promise.all(
      clients.map(async (client) => (await client.get('/api/auth/profile')).json().id),
    )
    expect(new Set(ids).size, `${one} and ${other}`).toBe(2)
  }
})
