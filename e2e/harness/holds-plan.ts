import type { ApiClient } from './api-client.js'
import { within } from './within.js'

/** Waits until this credential has the plan: at once with Redis, within five seconds without it. */
export function holdsPlan(client: ApiClient, plan: 'free' | 'pro'): Promise<void> {
  return within(
    5_000,
    plan,
    async () => (await client.get('/api/auth/profile')).json<{ plan: 'free' | 'pro' }>().plan,
  )
}
