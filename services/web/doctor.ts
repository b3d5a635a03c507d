import type { Environment } from '#libs/config/read-variables.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { peerChecks } from '#libs/service/check-peers.js'
import { readConfig, variables, type WebConfig } from './config.js'

function checks(config: WebConfig): readonly Check[] {
  return peerChecks('web', config, { content: config.contentTarget })
}

/** The web application checks itself and what it needs. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'web', variables, readConfig, checks }, env)
}
