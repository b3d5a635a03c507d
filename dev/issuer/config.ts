import { type Environment, readVariables } from '#libs/config/read-variables.js'
import { httpUrl, optional, port, text } from '#libs/config/variables.js'
import { processVariables } from '#libs/runtime/process-variables.js'
import { issuerUrlOf } from './issuer-url.js'

/** The launcher sets all of these. */
export const variables = {
  ...processVariables,
  DEV_ISSUER_HOST: text('The listening address of the development issuer.', 'localhost'),
  DEV_ISSUER_PORT: port('The port of the development issuer.'),
  DEV_ISSUER_URL: optional(
    httpUrl('The address of the development issuer, for processes and browsers alike.'),
    '`http://localhost:$DEV_ISSUER_PORT`',
  ),
  DATA_DIR: text('Folder for generated development secrets.'),
  PUBLIC_BASE_URL: httpUrl('The public address of this installation.'),
}

export type DevelopmentIssuerConfig = ReturnType<typeof readConfig>

/** @throws ConfigError that names every problem at once. */
export function readConfig(env: Environment) {
  const values = readVariables(variables, env, (parsed) =>
    parsed.NODE_ENV === 'production'
      ? ['NODE_ENV must not be production: the development issuer lets anyone sign in as anyone.']
      : [],
  )
  return {
    logLevel: values.LOG_LEVEL,
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    host: values.DEV_ISSUER_HOST,
    port: values.DEV_ISSUER_PORT,
    issuer: issuerUrlOf(values.DEV_ISSUER_PORT, values.DEV_ISSUER_URL),
    dataDir: values.DATA_DIR,
    publicBaseUrl: values.PUBLIC_BASE_URL,
  }
}
