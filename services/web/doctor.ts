import type { Environment } from '#libs/config/read-variables.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { examineTarget } from '#libs/grpc/examine-target.js'
import { readConfig, variables, type WebConfig } from './config.js'

function checks({ contentTarget: target }: WebConfig): readonly Check[] {
  return [{ name: 'grpc content', run: () => examineTarget({ variable: 'CONTENT_GRPC_TARGET', target }) }]
}

/** The web application examines itself, and what it needs. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'web', variables, readConfig, checks }, env)
}
