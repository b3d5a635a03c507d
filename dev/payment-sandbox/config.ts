import { type Environment, readVariables } from '#libs/config/read-variables.js'
import { flag, httpUrl, port, secret, text } from '#libs/config/variables.js'
import { processVariables } from '#libs/runtime/process-variables.js'

/** The launcher sets all of these. */
export const variables = {
  ...processVariables,
  SANDBOX_HOST: text('The address that the sandbox listens on.', '127.0.0.1'),
  SANDBOX_PORT: port('The port of the sandbox.'),
  SANDBOX_URL: httpUrl('The address that people and billing find the sandbox at.'),
  SANDBOX_SECRET_KEY: secret(text('The key that the sandbox expects.')),
  SANDBOX_WEBHOOK_SECRET: secret(text('The secret that events are signed with.')),
  SANDBOX_WEBHOOK_URL: httpUrl('Where events are sent.'),
  SANDBOX_FAULTS: flag('Whether tests may ask for faults.', false),
  DATA_DIR: text('Where the sandbox keeps what was bought.'),
}

export type SandboxConfig = ReturnType<typeof readConfig>

/** @throws ConfigError that names every problem at once. */
export function readConfig(env: Environment) {
  const values = readVariables(variables, env, (parsed) => [
    ...(parsed.NODE_ENV === 'production'
      ? ['NODE_ENV must not be production: in the sandbox for payments anyone can press Pay.']
      : []),
    ...(parsed.SANDBOX_FAULTS && parsed.NODE_ENV !== 'test'
      ? ['SANDBOX_FAULTS must be false but in tests.']
      : []),
  ])
  return {
    logLevel: values.LOG_LEVEL,
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    host: values.SANDBOX_HOST,
    port: values.SANDBOX_PORT,
    publicUrl: values.SANDBOX_URL,
    secretKey: values.SANDBOX_SECRET_KEY,
    webhookSecret: values.SANDBOX_WEBHOOK_SECRET,
    webhookUrl: values.SANDBOX_WEBHOOK_URL,
    faults: values.SANDBOX_FAULTS,
    dataDir: values.DATA_DIR,
  }
}
