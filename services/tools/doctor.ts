import type { Environment } from '#libs/config/read-variables.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { peerChecks } from '#libs/service/check-peers.js'
import { readConfig, type ToolsConfig, variables } from './config.js'

function checks(config: ToolsConfig): readonly Check[] {
  return peerChecks('tools', config, {})
}

/** Checks the configuration of the process that runs tools. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'tools', variables, readConfig, checks }, env)
}
