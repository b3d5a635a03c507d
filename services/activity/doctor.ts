import type { Environment } from '#libs/config/read-variables.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { serviceChecks } from '#libs/service/check-service.js'
import { type ActivityConfig, readConfig, variables } from './config.js'
import { migrations } from './migrate.js'

function checks(config: ActivityConfig): readonly Check[] {
  return serviceChecks('activity', config, migrations, config.targets)
}

export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'activity', variables, readConfig, checks }, env)
}
