import type { Environment } from '#libs/config/read-variables.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { examineRedis } from '#libs/redis/examine-redis.js'
import { serviceChecks } from '#libs/service/examine-service.js'
import { examineDocuments } from './adapters/examine-documents.js'
import { type ContentConfig, readConfig, variables } from './config.js'
import { migrations, openS3 } from './wire.js'

function checks(config: ContentConfig): readonly Check[] {
  return [
    ...serviceChecks('content', config, migrations),
    { name: 'redis', run: () => examineRedis(config.redisUrl) },
    {
      name: 'documents in S3',
      run: () => examineDocuments(() => openS3(config.documents, config.orphanGraceMs)),
    },
  ]
}

/** Content examines itself, and what it needs. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'content', variables, readConfig, checks }, env)
}
