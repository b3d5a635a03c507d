import type { ReactNode } from 'react'
import { ProblemNotice } from './problem-notice.js'
import { LoadingState } from './states.js'

/** What is loaded, such as a query. */
export interface Loadable<Data> {
  readonly data: Data | undefined
  readonly error: Error | null
  refetch(): Promise<unknown>
}

/** Several as one, with the data of all. */
export function together<Parts extends Readonly<Record<string, unknown>>>(
  queries: {
    readonly [Name in keyof Parts]: Loadable<Parts[Name]>
  },
): Loadable<Parts> {
  const all = Object.entries<Loadable<unknown>>(queries)
  const isLoaded = all.every(([, { data }]) => data !== undefined)
  return {
    data: isLoaded ? (Object.fromEntries(all.map(([name, { data }]) => [name, data])) as Parts) : undefined,
    error: all.map(([, { error }]) => error).find((error) => error !== null) ?? null,
    refetch: () => Promise.all(all.map(([, { refetch }]) => refetch())),
  }
}

/** Shows what is loaded; until then a loading state of so many lines, or why it failed. */
export function Loaded<Data>({
  query: { data, error, refetch },
  lines = 5,
  children,
}: {
  readonly query: Loadable<Data>
  readonly lines?: number
  children(data: Data): ReactNode
}) {
  if (data !== undefined) return children(data)
  if (error !== null) return <ProblemNotice error={error} onRetry={() => void refetch()} />
  return <LoadingState lines={lines} />
}
