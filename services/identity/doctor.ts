import type { Environment } from '#libs/config/read-variables.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { createLogger } from '#libs/log/logger.js'
import { createPool } from '#libs/postgres/pool.js'
import { examineRedis } from '#libs/redis/examine-redis.js'
import { serviceChecks } from '#libs/service/examine-service.js'
import { examinePeppers } from './adapters/examine-peppers.js'
import { migrations } from './compose.js'
import { type IdentityConfig, readConfig, variables } from './config.js'

function pepperCheck({ database, peppers }: IdentityConfig): Check {
  return {
    name: 'pepper',
    async run() {
      const pool = createPool({ ...database, connectionsMax: 1 }, createLogger('identity', 'silent'))
      try {
        return [
          await examinePeppers(
            pool,
            peppers.map(({ version }) => version),
          ),
        ]
      } finally {
        await pool.end()
      }
    },
  }
}

function checks(config: IdentityConfig): readonly Check[] {
  return [
    ...serviceChecks('identity', config, migrations),
    { name: 'redis', run: () => examineRedis(config.redisUrl) },
    pepperCheck(config),
  ]
}

/** Identity examines itself, and what it needs. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'identity', variables, readConfig, checks }, env)
}
