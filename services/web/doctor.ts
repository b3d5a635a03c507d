import type { Environment } from '#libs/config/read-variables.js'
import { type Check, runDoctor } from '#libs/doctor/run-doctor.js'
import { examineCertificates } from '#libs/grpc/examine-certificates.js'
import { examineTarget } from '#libs/grpc/examine-target.js'
import { readConfig, variables, type WebConfig } from './config.js'

function checks({ contentTarget: target, certificates }: WebConfig): readonly Check[] {
  const variable = 'CONTENT_GRPC_TARGET'
  return [
    {
      name: 'certificates',
      run: async () => examineCertificates('web', certificates, new Date()),
    },
    { name: 'grpc content', run: () => examineTarget({ variable, target, certificates }) },
  ]
}

/** The web application examines itself, and what it needs. */
export function doctor(env: Environment): Promise<void> {
  return runDoctor({ process: 'web', variables, readConfig, checks }, env)
}
