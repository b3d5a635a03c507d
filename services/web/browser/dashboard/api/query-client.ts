import { QueryClient } from '@tanstack/react-query'
import { ConnectionError, ProblemError, SilenceTimeoutError } from '#sdk/exports.js'

const retriesMax = 2

/** Whether retrying the same request a little later may succeed. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ProblemError) return [502, 503, 504].includes(error.status)
  return error instanceof ConnectionError || error instanceof SilenceTimeoutError
}

/** The cache of API responses. It refetches by itself only where that can help. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: (count, error) => count < retriesMax && isTransient(error),
        retryDelay: (count, error) =>
          error instanceof ProblemError && error.retryAfter !== null
            ? Math.min(error.retryAfter, 5) * 1_000
            : 500 * 2 ** count,
      },
      mutations: { retry: false },
    },
  })
}
