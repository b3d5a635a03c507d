import { type Environment, readVariables } from '#libs/config/read-variables.js'
import { integer, list, optional, secret } from '#libs/config/variables.js'
import { transportProblems } from '#libs/grpc/grpc-variables.js'
import { redisVariables } from '#libs/redis/redis-variables.js'
import { serviceConfig, serviceVariables } from '#libs/service/service-config.js'
import { everyoneIsPro, planCatalogue, planVariables } from '#shared/config/plan-variables.js'
import { productionProblems } from '#shared/config/production-rules.js'
import { dataServices } from './domain/account-step.js'

/** A server secret for hashing API keys, and its version. */
export interface PepperConfig {
  readonly version: number
  readonly secret: string
}

const pepperLengthMin = 32

function pepper(item: string): PepperConfig {
  const [, version = '1', text = ''] = /^(?:(\d{1,9}):)?(.*)$/s.exec(item) ?? []
  if (text.length >= pepperLengthMin) return { version: Number(version), secret: text }
  throw new Error(
    `a secret of at least ${pepperLengthMin} characters, or for rotation a comma-separated list of version:secret`,
  )
}

/** How long a closed account waits; also for the command that applies the ledger. */
export const erasureVariables = {
  ACCOUNT_ERASURE_DAYS: integer(
    'Days after which a closed account is erased; until then its owner can restore it. 0 erases it at once.',
    { min: 0, max: 30 },
    7,
  ),
}

export const variables = {
  ...serviceVariables('identity', 50_052),
  ...redisVariables,
  API_KEY_PEPPER: secret(
    list(
      'The server secret for hashing API keys: 32 or more random characters without a comma. To rotate it, use a list of `version:secret`; the first hashes new keys (docs/operations.md#the-pepper). A secret without a version is version 1.',
      pepper,
    ),
  ),
  API_KEY_IDLE_DAYS: optional(
    integer(
      'Days without a sign-in after which an account loses the use of its API keys (403 `identity_token_required`), up to a day later. The next sign-in enables them again.',
      { min: 1, max: 36_500 },
    ),
    'never',
  ),
  ...erasureVariables,
  PLAN_FREE_EVENT_DAYS: integer('Days that events of a Free account are kept.', { min: 1, max: 3_650 }, 30),
  PLAN_PRO_EVENT_DAYS: integer('Days that events of a Pro account are kept.', { min: 1, max: 3_650 }, 90),
  ...planVariables,
}

/** @throws ConfigError that names every problem at once. */
export function readConfig(env: Environment) {
  const values = readVariables(variables, env, (parsed) => {
    const peppers = parsed.API_KEY_PEPPER
    const versions = new Set(peppers.map(({ version }) => version))
    return [
      ...productionProblems(parsed),
      ...transportProblems(parsed, { GRPC_HOST: parsed.GRPC_HOST }),
      ...(peppers.length === 0 ? ['API_KEY_PEPPER must hold a secret.'] : []),
      ...(versions.size < peppers.length ? ['API_KEY_PEPPER must not name a version twice.'] : []),
    ]
  })
  const [newest, ...older] = values.API_KEY_PEPPER
  if (newest === undefined) throw new Error('a checked list is empty')
  /** The first creates new hashes, all of them find existing ones. */
  const peppers: readonly [PepperConfig, ...PepperConfig[]] = [newest, ...older]
  return {
    ...serviceConfig(values, 'identity'),
    /** `null` for none. */
    redisUrl: values.REDIS_URL,
    peppers,
    /** `null` if API keys are never disabled for inactivity. */
    apiKeyIdleDays: values.API_KEY_IDLE_DAYS,
    /** How long a closed account can be restored. */
    erasureDays: values.ACCOUNT_ERASURE_DAYS,
    /** The services that hold data of accounts on this installation. */
    dataServices: dataServices.filter((service) => service !== 'billing' || !everyoneIsPro(values)),
    plans: planCatalogue(values),
    eventDays: {
      // Where everyone is Pro, accounts stored as Free have Pro's limits.
      free: everyoneIsPro(values) ? values.PLAN_PRO_EVENT_DAYS : values.PLAN_FREE_EVENT_DAYS,
      pro: values.PLAN_PRO_EVENT_DAYS,
    },
  }
}

export type IdentityConfig = Readonly<ReturnType<typeof readConfig>>
