import type { Environment } from '#libs/config/read-variables.js'
import { checkHttp } from '#libs/doctor/check-http.js'
import { type Finding, skipped } from '#libs/doctor/finding.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { checkRedis } from '#libs/redis/check-redis.js'
import { peerChecks } from '#libs/service/check-peers.js'
import type { TrustedIssuer } from '#shared/config/issuer-variables.js'
import { checkAdmission } from './auth/check-admission.js'
import { checkCliRedirect } from './auth/check-cli-redirect.js'
import { checkIssuer } from './auth/check-issuer.js'
import { checkPublicAddress, checkShareAddress } from './check-public-address.js'
import { type GatewayConfig, readConfig, variables } from './config.js'
import { checkProxies } from './rate-limits/check-proxies.js'

/** The services that the gateway calls: billing only if Pro is for sale, tools only if they are offered. */
function targetsOf(config: GatewayConfig): Readonly<Record<string, string>> {
  const { billing, tools, ...always } = config.targets
  return { ...always, ...(config.everyoneIsPro ? {} : { billing }), ...(config.tools ? { tools } : {}) }
}

/** A check with one finding. */
function single(name: string, find: (check: string) => Promise<Finding> | Finding): Check {
  return { name, run: async () => [await find(name)] }
}

/** Checks each issuer once, however many clients it has, and the command line's sign-in at the first issuer. */
function issuerChecks({ issuers, cliClientId, production, publicBaseUrl }: GatewayConfig): readonly Check[] {
  const [first] = issuers
  const isFirst = ({ issuer }: TrustedIssuer, index: number): boolean =>
    issuers.findIndex((one) => one.issuer === issuer) === index
  return [
    ...issuers.filter(isFirst).map((issuer) => ({
      name: 'issuer',
      run: () => checkIssuer({ ...issuer, production }),
    })),
    ...(first === undefined
      ? []
      : [
          single('command line', () => {
            const clientId = cliClientId ?? first.audience
            return checkCliRedirect({
              issuer: first.issuer,
              clientId,
              redirectUri: `${publicBaseUrl}/cli/callback`,
            })
          }),
        ]),
  ]
}

function checks(config: GatewayConfig): readonly Check[] {
  const { production, publicBaseUrl, shareBaseUrl, plans, trustedProxies, trustedHops, webUrl } = config
  const address = { publicBaseUrl, production, dataBytesMax: plans.pro.dataBytes }
  return [
    ...issuerChecks(config),
    { name: 'who may sign in', run: async () => checkAdmission(config.issuers, config.requiredClaims) },
    { name: 'redis', run: () => checkRedis(config.redisUrl) },
    ...peerChecks('gateway', config, targetsOf(config)),
    single('web', (check) => checkHttp({ check, variable: 'WEB_URL', url: `${webUrl}/healthz` })),
    single('webhook port', (check) =>
      config.everyoneIsPro
        ? skipped(check, 'billing is off: PAYMENT_PROVIDER is none')
        : checkHttp({ check, variable: 'BILLING_WEBHOOK_URL', url: config.webhookUrl }),
    ),
    { name: 'public address', run: () => checkPublicAddress(address) },
    { name: 'share address', run: () => checkShareAddress(publicBaseUrl, shareBaseUrl) },
    { name: 'proxies', run: async () => checkProxies({ trustedProxies, trustedHops, publicBaseUrl }) },
  ]
}

/** Checks the gateway and everything it needs. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'gateway', variables, readConfig, checks }, env)
}
