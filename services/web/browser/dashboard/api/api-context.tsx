import { createContext, type ReactNode, useContext } from 'react'
import type { Api } from './api.js'

const ApiContext = createContext<Api | null>(null)

/** Provides the API to its children. */
export function ApiProvider({ api, children }: { api: Api; children: ReactNode }) {
  return <ApiContext value={api}>{children}</ApiContext>
}

/** The API, with the credentials of the signed-in user. */
export function useApi(): Api {
  const api = useContext(ApiContext)
  if (api === null) throw new Error('there is no API here')
  return api
}
