import type { Environment } from '#libs/config/read-variables.js'
import { checkHttp } from '#libs/doctor/check-http.js'
import { skipped } from '#libs/doctor/finding.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { checkRedis } from '#libs/redis/check-redis.js'
import { peerChecks } from '#libs/service/check-peers.js'
import { checkAdmission } from './auth/check-admission.js'
import { checkIssuer } from './auth/check-issuer.js'
import { checkPublicAddress, checkShareAddress } from './check-public-address.js'
import { type GatewayConfig, readConfig, variables } from './config.js'
import { checkProxies } from './rate-limits/check-proxies.js'

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
        : await checkHttp({ check, variable: 'BILLING_WEBHOOK_URL', url: webhookUrl }),
    ],
  }
}

function checks(config: GatewayConfig): readonly Check[] {
  const { production, publicBaseUrl, shareBaseUrl, plans, trustedProxies, trustedHops, webUrl } = config
  const address = { publicBaseUrl, production, dataBytesMax: plans.pro.dataBytes }
  return [
    ...config.issuers.map((issuer) => ({
      name: 'issuer',
      run: () => checkIssuer({ ...issuer, production }),
    })),
    {
      name: 'who may sign in',
      run: async () => checkAdmission(config.issuers, config.requiredClaims),
    },
    { name: 'redis', run: () => checkRedis(config.redisUrl) },
    ...peerChecks('gateway', config, targetsOf(config)),
    {
      name: 'web',
      run: async () => [await checkHttp({ check: 'web', variable: 'WEB_URL', url: `${webUrl}/healthz` })],
    },
    webhookCheck(config),
    { name: 'public address', run: () => checkPublicAddress(address) },
    { name: 'share address', run: () => checkShareAddress(publicBaseUrl, shareBaseUrl) },
    { name: 'proxies', run: async () => checkProxies({ trustedProxies, trustedHops, publicBaseUrl }) },
  ]
}

/** The gateway checks itself and everything it needs. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'gateway', variables, readConfig, checks }, env)
}
