import type { ApiClient } from './api-client.js'
import type { ApiSystem } from './api-system.js'

/** An API key of a user, and a client that uses it. */
export interface TestKey {
  readonly id: string
  readonly key: string
  readonly client: ApiClient
}

/** Creates a key for the caller. */
export async function makeKey(
  system: ApiSystem,
  owner: ApiClient,
  options: { readonly name?: string; readonly scopes?: readonly string[] } = {},
): Promise<TestKey> {
  const response = await owner.post('/api/keys', { name: 'test', ...options })
  if (response.status !== 201) throw new Error(`no key: ${response.text}`)
  const { id, key } = response.json<{ id: string; key: string }>()
  return { id, key, client: system.withKey(key) }
}
