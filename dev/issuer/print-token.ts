import { mkdir } from 'node:fs/promises'
import { ConfigError, type Environment } from '#libs/config/read-variables.js'
import { messageOf } from '#libs/core/message-of.js'
import { type IssuerConfig, type LauncherConfig, readConfig } from '../../deploy/launcher/config.js'
import { LaunchError } from '../../deploy/launcher/launch-error.js'
import { isUserName } from './development-user.js'
import { issuerUrlOf, notedIssuerUrl } from './issuer-url.js'
import { identityToken } from './signing-key.js'

/** The issuer's URL: as configured, or as at the last start with this data, or where the next start would place it. */
async function issuerOf(
  { dataDir, port }: LauncherConfig,
  { url, port: named }: IssuerConfig,
): Promise<string> {
  if (url !== null) return url
  if (named !== null && named !== 0) return issuerUrlOf(named, null)
  return (await notedIssuerUrl(dataDir)) ?? issuerUrlOf(port + 1, null)
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
  const issuer = await issuerOf(config, config.issuer)
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
