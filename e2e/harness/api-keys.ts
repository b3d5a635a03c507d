import pg from 'pg'
import type { ApiClient } from './api-client.js'
import type { TestSystem } from './system.js'

/** An API key of a user, and a client that calls with it alone. */
export interface TestKey {
  readonly id: string
  readonly key: string
  readonly client: ApiClient
}

/** Makes a key for whoever calls. */
export async function makeKey(
  system: TestSystem,
  owner: ApiClient,
  wishes: { readonly name?: string; readonly scopes?: readonly string[] } = {},
): Promise<TestKey> {
  const answer = await owner.post('/api/keys', { name: 'test', ...wishes })
  if (answer.status !== 201) throw new Error(`no key: ${answer.text}`)
  const { id, key } = answer.json<{ id: string; key: string }>()
  return { id, key, client: system.withKey(key) }
}

/** Lets a key expire now; nobody can wait for the minute that a key lives at least. */
export async function expireKey(system: TestSystem, { id }: TestKey): Promise<void> {
  const db = new pg.Client({ connectionString: system.databaseUrl })
  await db.connect()
  try {
    await db.query("UPDATE identity.api_key SET expires_at = now() - interval '1 second' WHERE id = $1", [id])
  } finally {
    await db.end()
  }
}
