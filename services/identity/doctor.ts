import type { Environment } from '#libs/config/read-variables.js'
import type { Finding } from '#libs/doctor/finding.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { createLogger } from '#libs/log/logger.js'
import { createPool, type Pool } from '#libs/postgres/pool.js'
import { examineRedis } from '#libs/redis/examine-redis.js'
import { serviceChecks } from '#libs/service/examine-service.js'
import { examineIdleKeys } from './adapters/examine-idle-keys.js'
import { examinePeppers } from './adapters/examine-peppers.js'
import { type IdentityConfig, readConfig, variables } from './config.js'
import { migrations } from './wire.js'

/** An examination of what is stored, over a pool of its own. */
function storedCheck(
  name: string,
  { database }: IdentityConfig,
  examine: (pool: Pool) => Promise<Finding>,
): Check {
  return {
    name,
    async run() {
      const pool = createPool({ ...database, connectionsMax: 1 }, createLogger('identity', 'silent'))
      try {
        return [await examine(pool)]
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
    { name: 'redis', run: () => examineRedis(config.redisUrl) },
    storedCheck('pepper', config, (pool) => examinePeppers(pool, versions)),
    storedCheck('idle keys', config, (pool) => examineIdleKeys(pool, config.apiKeyIdleDays)),
  ]
}

/** Identity examines itself, and what it needs. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'identity', variables, readConfig, checks }, env)
}
