import { useQuery } from '@tanstack/react-query'
import { useApi } from './api-context.js'
import { profileKey } from './query-keys.js'

/** The profile, shared by all components. `isFresh` refetches it, because usage also changes elsewhere. */
export function useProfile({ isFresh = false }: { readonly isFresh?: boolean } = {}) {
  const api = useApi()
  return useQuery({
    queryKey: profileKey,
    queryFn: ({ signal }) => api.account.profile({ signal }),
    refetchOnMount: isFresh ? 'always' : true,
  })
}
