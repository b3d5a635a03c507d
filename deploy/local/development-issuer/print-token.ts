import { mkdir } from 'node:fs/promises'
import { ConfigError, type Environment } from '#libs/config/read-variables.js'
import { messageOf } from '#libs/core/message-of.js'
import { issuerPortOf, type LauncherConfig, readConfig } from '../config.js'
import { LaunchError } from '../launch-error.js'
import { isUserName } from './development-user.js'
import { identityToken } from './identity-token.js'
import { issuerUrlOf, notedIssuerUrl } from './issuer-url.js'

/** The issuer's URL according to the variables alone; `null` if they do not determine it. */
function configuredUrl(config: LauncherConfig, env: Environment): string | null {
  const { port = null, url = null } = config.issuer ?? {}
  if (url !== null) return url
  const isSaid = port !== null || (env.PORT ?? '') !== ''
  const found = issuerPortOf(config.port, port)
  return isSaid && found !== 0 ? issuerUrlOf(found, null) : null
}

/**
 * The token that `npm run token -- NAME` prints.
 * @throws LaunchError or ConfigError with a message for the operator.
 */
async function tokenFor(name: string | undefined, env: Environment): Promise<string> {
  if (name === undefined || !isUserName(name))
    throw new LaunchError(
      'Usage: npm run token -- NAME, where NAME is 1 to 64 letters, digits, dots, dashes or underscores.',
    )
  const config = readConfig(env)
  if (config.issuer === null)
    throw new LaunchError(
      'OIDC_ISSUERS is set, so there is no development issuer. Get a token from one of those issuers.',
    )
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const issuer =
    configuredUrl(config, env) ??
    (await notedIssuerUrl(config.dataDir)) ??
    issuerUrlOf(issuerPortOf(config.port, null), null)
  return identityToken(config.dataDir, issuer, name)
}

try {
  process.stdout.write(`${await tokenFor(process.argv[3], process.env)}\n`)
} catch (error) {
  const expected = error instanceof LaunchError || error instanceof ConfigError
  const reason = messageOf(error)
  process.stderr.write(`${expected ? reason : `Could not create a token: ${reason}.`}\n`)
  process.exitCode = 1
}
