import type { Environment } from '#libs/config/read-variables.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { peerChecks } from '#libs/service/check-peers.js'
import { checkAddressLimits, checkJob, checkSpools } from './adapters/check-children.js'
import { readConfig, type ToolsConfig, variables } from './config.js'

function checks(config: ToolsConfig): readonly Check[] {
  return [
    ...peerChecks('tools', config, {}),
    { name: 'jobs', run: async () => [await checkJob()] },
    { name: 'limits of jobs', run: async () => [await checkAddressLimits(process.platform)] },
    { name: 'outputs of jobs', run: async () => [await checkSpools()] },
  ]
}

/** Checks the process that runs tools, and whether its child processes work. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'tools', variables, readConfig, checks }, env)
}
