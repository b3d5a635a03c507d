import type { Environment } from '#libs/config/read-variables.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { examineSchema } from '#libs/postgres/examine-schema.js'
import { migrations } from './compose.js'
import { type ContentConfig, readConfig, variables } from './config.js'

function checks({ database }: ContentConfig): readonly Check[] {
  const names = migrations.map(({ name }) => name)
  const migrateCommand = 'node dist/services/content/main.js migrate'
  return [{ name: 'database', run: () => examineSchema({ database, migrations: names, migrateCommand }) }]
}

/** Content examines itself, and what it needs. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'content', variables, readConfig, checks }, env)
}
