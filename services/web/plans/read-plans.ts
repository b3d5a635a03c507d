import type { Plan } from './plan.js'

/** The plans that the gateway has passed on; `null` if it has not, as when it does not serve the page. */
export function readPlans(header: string): readonly Plan[] | null {
  if (header === '') return null
  try {
    const { plans }: { readonly plans?: readonly Plan[] } = JSON.parse(header)
    return plans ?? null
  } catch {
    return null
  }
}
