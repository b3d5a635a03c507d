import type { Environment } from '#libs/config/read-variables.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { serviceChecks } from '#libs/service/examine-service.js'
import { examinePayments, type PaymentsExamination } from './adapters/examine-payments.js'
import { type BillingConfig, readConfig, variables } from './config.js'
import { migrations } from './wire.js'

function providerOf({ provider, production, publicBaseUrl }: BillingConfig): PaymentsExamination {
  const common = { production, publicBaseUrl, timeoutMs: 5_000, retriesMax: 0 }
  if (provider.kind === 'stripe') return { ...common, ...provider, sandbox: false }
  return { ...common, ...provider, pricesFormer: [], apiBase: provider.url, sandbox: true }
}

function checks(config: BillingConfig): readonly Check[] {
  return [
    ...serviceChecks('billing', config, migrations, config.targets),
    { name: 'payment provider', run: () => examinePayments(providerOf(config)) },
  ]
}

/** Billing examines itself, and what it needs. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'billing', variables, readConfig, checks }, env)
}
