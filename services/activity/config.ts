import { type Environment, readVariables } from '#libs/config/read-variables.js'
import { integer, internal, text } from '#libs/config/variables.js'
import { transportProblems } from '#libs/grpc/grpc-variables.js'
import { serviceConfig, serviceVariables } from '#libs/service/service-config.js'
import { planCatalogue, planVariables } from '#shared/config/plan-variables.js'
import { productionProblems } from '#shared/config/production-rules.js'

export const variables = {
  ...serviceVariables('activity', 50_053),
  IDENTITY_GRPC_TARGET: text(
    'The gRPC address of identity. Activity asks it which accounts to erase.',
    '127.0.0.1:50052',
  ),
  INTERNAL_ACTIVITY_PURGE_INTERVAL_MS: internal(
    integer(
      'How often to delete history that was hidden for 30 days after a plan ended, in milliseconds.',
      { min: 100, max: 86_400_000 },
      300_000,
    ),
  ),
  ...planVariables,
}

export type ActivityConfig = ReturnType<typeof readConfig>

/** @throws ConfigError that names every problem at once. */
export function readConfig(env: Environment) {
  const values = readVariables(variables, env, (parsed) => [
    ...productionProblems(parsed),
    ...transportProblems(parsed, {
      GRPC_HOST: parsed.GRPC_HOST,
      IDENTITY_GRPC_TARGET: parsed.IDENTITY_GRPC_TARGET,
    }),
  ])
  return {
    ...serviceConfig(values, 'activity'),
    targets: { identity: values.IDENTITY_GRPC_TARGET },
    purgeIntervalMs: values.INTERNAL_ACTIVITY_PURGE_INTERVAL_MS,
    plans: planCatalogue(values),
  }
}
