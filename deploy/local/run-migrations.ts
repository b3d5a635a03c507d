import { join } from 'node:path'
import { LaunchError } from './launch-error.js'
import { runToEnd } from './run-to-end.js'

/** Whose schema is brought up to date, and how. */
export interface MigrationRun {
  readonly service: string
  readonly script: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly logDir: string
  /** Aborting it ends the run; what a migration began is rolled back. */
  readonly signal: AbortSignal
}

/**
 * Runs the `migrate` command of one service to its end.
 * @throws LaunchError with the service's own words when it fails.
 */
export async function runMigrations({ service, logDir, ...run }: MigrationRun): Promise<void> {
  const logFile = join(logDir, `migrate-${service}.log`)
  const failure = await runToEnd({ ...run, args: ['migrate'], logFile })
  if (failure !== null)
    throw new LaunchError(
      `The database of ${service} could not be migrated: ${failure} (More in ${logFile}.)`,
    )
}
