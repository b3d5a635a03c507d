import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Environment } from '#libs/config/read-variables.js'
import { LaunchError } from './launch-error.js'
import type { DevelopmentUsersRequest } from './make-development-users.js'
import { runToEnd } from './run-to-end.js'

const script = fileURLToPath(new URL('./development-users/main.js', import.meta.url))

/**
 * Makes the development users, in a process of its own.
 * @throws LaunchError with its own words when it fails.
 */
export async function runDevelopmentUsers(
  request: DevelopmentUsersRequest,
  run: { readonly env: Environment; readonly logDir: string; readonly signal: AbortSignal },
): Promise<void> {
  const { env, logDir, signal } = run
  const logFile = join(logDir, 'development-users.log')
  const failure = await runToEnd({ script, args: [JSON.stringify(request)], env, logFile, signal })
  if (failure !== null)
    throw new LaunchError(`The development users could not be created: ${failure} (More in ${logFile}.)`)
}
