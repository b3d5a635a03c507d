import type { Environment } from '#libs/config/read-variables.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { peerChecks } from '#libs/service/check-peers.js'
import { checkAddressLimits, checkChildren, checkSpools } from './adapters/check-children.js'
import { createChildPool } from './adapters/child-pool.js'
import { jobEntry, startChild } from './adapters/child-process.js'
import { childRunner } from './adapters/child-runner.js'
import { fileSpools } from './adapters/file-spools.js'
import { readConfig, type ToolsConfig, variables } from './config.js'

/** Runs a job as the service does, in a child of its own. */
async function jobCheck() {
  const pool = createChildPool((memory) => startChild(jobEntry, memory))
  try {
    return [await checkChildren(childRunner(pool))]
  } finally {
    pool.close()
  }
}

function checks(config: ToolsConfig): readonly Check[] {
  return [
    ...peerChecks('tools', config, {}),
    { name: 'jobs', run: jobCheck },
    { name: 'limits of jobs', run: async () => [await checkAddressLimits(process.platform)] },
    { name: 'outputs of jobs', run: async () => [await checkSpools(fileSpools(Number.MAX_SAFE_INTEGER))] },
  ]
}

/** Checks the process that runs tools, and whether its child processes work. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'tools', variables, readConfig, checks }, env)
}
