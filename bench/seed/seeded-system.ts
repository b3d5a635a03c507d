import { startSystem, type TestSystem } from '../../e2e/harness/system.js'
import type { Env } from '../../e2e/harness/system-process.js'
import { few, many } from './seed-plan.js'
import type { Callers } from './seeded-calls.js'
import type { SeededDatabase } from './seeded-database.js'

/** Rate limits too high to reach, but counted. */
const env = {
  RATE_LIMIT_STRICT: '10000/1',
  RATE_LIMIT_STANDARD: '10000/1',
  RATE_LIMIT_FAIR_USE: '10000/1',
  LOG_LEVEL: 'warn',
}

/** Starts a system on the seeded database, whose owners can sign in. */
export async function startOnSeeded(
  database: SeededDatabase,
  { gateways, gatewayEnv = {} }: { readonly gateways: number; readonly gatewayEnv?: Env },
): Promise<TestSystem> {
  const stored = new Set(['content', 'identity', 'activity'])
  const system = await startSystem({
    serverUrl: database.server.url,
    gateways,
    gatewayEnv,
    env,
    processEnv: (process) => (stored.has(process) ? { DATABASE_URL: database.url } : {}),
  })
  await database.signInAt(system.issuer.url)
  return system
}

/** Sends requests as the seeded owners. */
export async function seededCallers(system: TestSystem): Promise<Callers> {
  const tokens = {
    many: await system.issuer.token(many.subject),
    few: await system.issuer.token(few.subject),
    anyone: null,
  }
  return { baseUrl: system.baseUrl(), tokens }
}
