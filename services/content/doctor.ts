import type { Environment } from '#libs/config/read-variables.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { checkRedis } from '#libs/redis/check-redis.js'
import { serviceChecks } from '#libs/service/check-service.js'
import { checkDocuments } from './adapters/check-documents.js'
import { type ContentConfig, readConfig, variables } from './config.js'
import { migrations } from './migrate.js'
import { openS3 } from './wire.js'

function checks(config: ContentConfig): readonly Check[] {
  return [
    ...serviceChecks('content', config, migrations, config.targets),
    { name: 'redis', run: () => checkRedis(config.redisUrl) },
    {
      name: 'documents in S3',
      run: () => checkDocuments(() => openS3(config.documents, config.orphanGraceMs)),
    },
  ]
}

/** The checks of content and its dependencies. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'content', variables, readConfig, checks }, env)
}
