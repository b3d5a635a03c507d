import type { Environment } from '#libs/config/read-variables.js'
import type { Finding } from '#libs/doctor/finding.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { createLogger } from '#libs/log/logger.js'
import { createPool, type Pool } from '#libs/postgres/pool.js'
import { checkRedis } from '#libs/redis/check-redis.js'
import { serviceChecks } from '#libs/service/check-service.js'
import { checkIdleKeys, checkPeppers } from './adapters/check-keys.js'
import { type IdentityConfig, readConfig, variables } from './config.js'
import { migrations } from './migrate.js'

/** A check of stored data, with its own pool. */
function storedCheck(
  name: string,
  { database }: IdentityConfig,
  check: (pool: Pool) => Promise<Finding>,
): Check {
  return {
    name,
    async run() {
      const pool = createPool({ ...database, connectionsMax: 1 }, createLogger('identity', 'silent'))
      try {
        return [await check(pool)]
      } finally {
        await pool.end()
      }
    },
  }
}

function checks(config: IdentityConfig): readonly Check[] {
  const versions = config.peppers.map(({ version }) => version)
  return [
    ...serviceChecks('identity', config, migrations),
    { name: 'redis', run: () => checkRedis(config.redisUrl) },
    storedCheck('pepper', config, (pool) => checkPeppers(pool, versions)),
    storedCheck('idle keys', config, (pool) => checkIdleKeys(pool, config.apiKeyIdleDays)),
  ]
}

export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'identity', variables, readConfig, checks }, env)
}
