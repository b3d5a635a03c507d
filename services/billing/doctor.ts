import type { Environment } from '#libs/config/read-variables.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { serviceChecks } from '#libs/service/check-service.js'
import { checkPayments } from './adapters/check-payments.js'
import { type BillingConfig, readConfig, variables } from './config.js'
import { migrations } from './migrate.js'

function checks(config: BillingConfig): readonly Check[] {
  return [
    ...serviceChecks('billing', config, migrations, config.targets),
    {
      name: 'payment provider',
      run: () => checkPayments({ ...config, ...config.provider, timeoutMs: 5_000, retriesMax: 0 }),
    },
  ]
}

/** The checks of billing and its dependencies. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'billing', variables, readConfig, checks }, env)
}
