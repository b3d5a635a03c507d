import { createContext, type ReactNode, useContext } from 'react'
import type { Snipkeep } from '#sdk/exports.js'

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
