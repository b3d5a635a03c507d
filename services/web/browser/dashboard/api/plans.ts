import type { Plan } from '../../plans/plan.js'
import type { Api } from './api.js'

export async function listPlans(api: Api, signal?: AbortSignal): Promise<readonly Plan[]> {
  return (await api.send<{ plans: readonly Plan[] }>({ path: '/api/plans', signal })).body.plans
}
