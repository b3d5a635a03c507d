import type { Environment } from '#libs/config/read-variables.js'
import { examineHttp } from '#libs/doctor/examine-http.js'
import { skipped } from '#libs/doctor/finding.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { examineRedis } from '#libs/redis/examine-redis.js'
import { peerChecks } from '#libs/service/examine-service.js'
import { examineAdmission } from './auth/examine-admission.js'
import { examineIssuer } from './auth/examine-issuer.js'
import { type GatewayConfig, readConfig, variables } from './config.js'
import { examinePublicAddress, examineShareAddress } from './examine-public-address.js'
import { examineProxies } from './rate-limits/examine-proxies.js'

/** The services that it calls; billing is there where something is sold. */
function targetsOf({ targets, everyoneIsPro }: GatewayConfig): Readonly<Record<string, string>> {
  const { billing, ...always } = targets
  return everyoneIsPro ? always : { ...always, billing }
}

function webhookCheck({ webhookUrl, everyoneIsPro }: GatewayConfig): Check {
  const check = 'webhook port'
  return {
    name: check,
    run: async () => [
      everyoneIsPro
        ? skipped(check, 'billing is off: PAYMENT_PROVIDER is none')
        : await examineHttp({ check, variable: 'BILLING_WEBHOOK_URL', url: webhookUrl }),
    ],
  }
}

function checks(config: GatewayConfig): readonly Check[] {
  const { production, publicBaseUrl, shareBaseUrl, plans, trustedProxies, trustedHops, webUrl } = config
  const address = { publicBaseUrl, production, dataBytesMax: plans.pro.dataBytes }
  return [
    ...config.issuers.map((issuer) => ({
      name: 'issuer',
      run: () => examineIssuer({ ...issuer, production }),
    })),
    {
      name: 'who may sign in',
      run: async () => examineAdmission(config.issuers, config.requiredClaims),
    },
    { name: 'redis', run: () => examineRedis(config.redisUrl) },
    ...peerChecks('gateway', config, targetsOf(config)),
    {
      name: 'web',
      run: async () => [await examineHttp({ check: 'web', variable: 'WEB_URL', url: `${webUrl}/healthz` })],
    },
    webhookCheck(config),
    { name: 'public address', run: () => examinePublicAddress(address) },
    { name: 'share address', run: () => examineShareAddress(publicBaseUrl, shareBaseUrl) },
    { name: 'proxies', run: async () => examineProxies({ trustedProxies, trustedHops, publicBaseUrl }) },
  ]
}

/** The gateway examines itself, and everything that it needs. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'gateway', variables, readConfig, checks }, env)
}
