import type { Environment } from '#libs/config/read-variables.js'
import { examineHttp } from '#libs/doctor/examine-http.js'
import { skipped } from '#libs/doctor/finding.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { examineCertificates } from '#libs/grpc/examine-certificates.js'
import { examineTarget } from '#libs/grpc/examine-target.js'
import { examineRedis } from '#libs/redis/examine-redis.js'
import { type GatewayConfig, readConfig, variables } from './config.js'
import { examineIssuer } from './credentials/examine-issuer.js'
import { examinePublicAddress } from './examine-public-address.js'
import { examineProxies } from './limits/examine-proxies.js'

function targetChecks({ targets, everyoneIsPro, certificates }: GatewayConfig): readonly Check[] {
  const { billing, ...always } = targets
  const called = everyoneIsPro ? always : { ...always, billing }
  return Object.entries(called).map(([name, target]) => ({
    name: `grpc ${name}`,
    run: () => examineTarget({ variable: `${name.toUpperCase()}_GRPC_TARGET`, target, certificates }),
  }))
}

function webhookCheck({ webhookUrl, everyoneIsPro }: GatewayConfig): Check {
  const check = 'webhook port'
  return {
    name: check,
    run: async () => [
      everyoneIsPro
        ? skipped(check, 'nobody sells anything: PAYMENT_PROVIDER is none')
        : await examineHttp({ check, variable: 'BILLING_WEBHOOK_URL', url: webhookUrl }),
    ],
  }
}

function checks(config: GatewayConfig): readonly Check[] {
  const { production, publicBaseUrl, plans, trustedProxies, webUrl, certificates } = config
  const address = { publicBaseUrl, production, dataBytesMax: plans.pro.dataBytes }
  return [
    ...config.issuers.map((issuer) => ({
      name: 'issuer',
      run: () => examineIssuer({ ...issuer, production }),
    })),
    { name: 'redis', run: () => examineRedis(config.redisUrl) },
    {
      name: 'certificates',
      run: async () => examineCertificates('gateway', certificates, new Date()),
    },
    ...targetChecks(config),
    {
      name: 'web',
      run: async () => [await examineHttp({ check: 'web', variable: 'WEB_URL', url: `${webUrl}/healthz` })],
    },
    webhookCheck(config),
    { name: 'public address', run: () => examinePublicAddress(address) },
    { name: 'proxies', run: async () => examineProxies({ trustedProxies, publicBaseUrl }) },
  ]
}

/** The gateway examines itself, and everything that it needs. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'gateway', variables, readConfig, checks }, env)
}
