import { useQuery } from '@tanstack/react-query'
import type { PlanLimits, PlanName } from '../../plans/plan.js'
import type { Api } from './api.js'
import { useApi } from './api-context.js'

/** Who is signed in, what their plan allows, and what they use. */
export interface Profile {
  readonly id: string
  readonly email: string | null
  readonly email_verified: boolean
  readonly name: string | null
  readonly picture: string | null
  readonly plan: PlanName
  readonly limits: PlanLimits
  readonly usage: {
    readonly snippets: number
    readonly shares: number
    readonly stored_bytes: number
    readonly history: number
    readonly api_keys: number
    readonly trusted_publishers: number
  }
  readonly created_at: string
  /** Whether the user operates this installation. */
  readonly operator: boolean
}

export async function getProfile(api: Api, signal?: AbortSignal): Promise<Profile> {
  return (await api.send<Profile>({ path: '/api/auth/profile', signal })).body
}

/** Closes the account, which is erased after some days. */
export async function closeAccount(api: Api, confirm: string): Promise<void> {
  await api.send({ method: 'DELETE', path: '/api/account', body: { confirm } })
}

export async function restoreAccount(api: Api): Promise<void> {
  await api.send({ method: 'POST', path: '/api/account/restore' })
}

/** Query key of the profile; invalidate it when usage or plan changes. */
export const profileKey = ['profile'] as const

/** The profile, shared by all components. `isFresh` refetches it, because usage also changes elsewhere. */
export function useProfile({ isFresh = false }: { readonly isFresh?: boolean } = {}) {
  const api = useApi()
  return useQuery({
    queryKey: profileKey,
    queryFn: ({ signal }) => getProfile(api, signal),
    refetchOnMount: isFresh ? 'always' : true,
  })
}
