import { QueryClient } from '@tanstack/react-query'
import { ApiProblem, isTransient } from './api-problem.js'

const retriesMax = 2

/** The cache of API responses. It refetches by itself only where that can help. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: (count, error) => count < retriesMax && isTransient(error),
        retryDelay: (count, error) =>
          error instanceof ApiProblem && error.retryAfterSeconds !== null
            ? Math.min(error.retryAfterSeconds, 5) * 1_000
            : 500 * 2 ** count,
      },
      mutations: { retry: false },
    },
  })
}
