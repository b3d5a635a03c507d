import type { Environment } from '#libs/config/read-variables.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { peerChecks } from '#libs/service/check-peers.js'
import { readConfig, variables, type WebConfig } from './config.js'

function checks(config: WebConfig): readonly Check[] {
  return peerChecks('web', config, { content: config.contentTarget })
}

/** Checks the web application's configuration and what it depends on. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'web', variables, readConfig, checks }, env)
}
