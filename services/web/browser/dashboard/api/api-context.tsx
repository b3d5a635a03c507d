import { type QueryKey, type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import type { Snipkeep } from '#sdk/exports.js'
import { profileKey } from './query-keys.js'

const ApiContext = createContext<Snipkeep | null>(null)

/** Provides the API to its children. */
export function ApiProvider({ api, children }: { api: Snipkeep; children: ReactNode }) {
  return <ApiContext value={api}>{children}</ApiContext>
}

/** The API, with the credentials of the signed-in user. */
export function useApi(): Snipkeep {
  const api = useContext(ApiContext)
  if (api === null) throw new Error('there is no API here')
  return api
}

/** A call to be made with these options, so that it ends when nobody waits for it. */
export type ApiCall<Result> = (api: Snipkeep, options: { readonly signal: AbortSignal }) => Result

/** What a call of the API returns, cached under this key. */
export function useApiQuery<Data>(
  queryKey: QueryKey,
  call: ApiCall<Promise<Data>>,
  options: Omit<UseQueryOptions<Data>, 'queryKey' | 'queryFn'> = {},
): UseQueryResult<Data> {
  const api = useApi()
  return useQuery({ ...options, queryKey, queryFn: ({ signal }) => call(api, { signal }) })
}

/** The profile, shared by all components. `isFresh` refetches it, because usage also changes elsewhere. */
export function useProfile({ isFresh = false }: { readonly isFresh?: boolean } = {}) {
  return useApiQuery(profileKey, (api, options) => api.account.profile(options), {
    refetchOnMount: isFresh ? 'always' : true,
  })
}
