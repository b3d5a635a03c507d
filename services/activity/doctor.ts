import type { Environment } from '#libs/config/read-variables.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { examineCertificates } from '#libs/grpc/examine-certificates.js'
import { examineSchema } from '#libs/postgres/examine-schema.js'
import { migrations } from './compose.js'
import { type ActivityConfig, readConfig, variables } from './config.js'

function checks({ database, certificates }: ActivityConfig): readonly Check[] {
  const names = migrations.map(({ name }) => name)
  const migrateCommand = 'node dist/services/activity/main.js migrate'
  return [
    {
      name: 'certificates',
      run: async () => examineCertificates('activity', certificates, new Date()),
    },
    { name: 'database', run: () => examineSchema({ database, migrations: names, migrateCommand }) },
  ]
}

/** Activity examines itself, and what it needs. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'activity', variables, readConfig, checks }, env)
}
