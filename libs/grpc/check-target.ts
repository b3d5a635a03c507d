import { type Finding, ok, problem, warning } from '../doctor/finding.js'
import { createLogger } from '../log/logger.js'
import type { CertificateFiles } from './certificate-files.js'
import { isLoopback } from './grpc-variables.js'
import { healthClient } from './health-client.js'
import { openTransport } from './transport.js'

/** A called process, and the variable that names it. */
export interface TargetSettings {
  /** `CONTENT_GRPC_TARGET` and the like. */
  readonly variable: string
  readonly target: string
  /** The client credentials; `null` for plain text. */
  readonly certificates: CertificateFiles | null
}

const timeoutMs = 3_000

function staysHere(target: string): boolean {
  const addresses = target.replace(/^(dns:(\/\/[^/]*\/)?|ipv[46]:)/, '').split(',')
  return addresses.every(isLoopback)
}

/**
 * A warning if calls travel in plain text beyond this machine: one for all targets, since they have the same remedy.
 * @param targets by the names of their variables.
 */
export function checkPlainText(
  targets: Readonly<Record<string, string>>,
  certificates: CertificateFiles | null,
): readonly Finding[] {
  const open = Object.entries(targets).filter(([, target]) => !staysHere(target))
  if (certificates !== null || open.length === 0) return []
  const remedy = `set GRPC_TLS_CA_FILE, GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE everywhere, or keep ${open.map(([variable]) => variable).join(', ')} within a private network`
  const message = `calls to ${open.map(([, target]) => target).join(', ')} are in plain text`
  return [warning('plain text', message, remedy)]
}

/** Whether the process at a gRPC target is serving. */
export async function checkTarget(settings: TargetSettings): Promise<readonly Finding[]> {
  const { variable, target, certificates } = settings
  const process = variable.replace('_GRPC_TARGET', '').toLowerCase()
  const check = `grpc ${process}`
  const transport = openTransport(certificates, createLogger('doctor', 'silent'))
  const client = healthClient(target, transport.channelCredentials(process))
  try {
    return [
      (await client.isServing(timeoutMs))
        ? ok(check, `${target} serves`)
        : problem(
            check,
            `nothing serves gRPC at ${target}${certificates === null ? '' : ', or not with certificates of our authority'}`,
            `start that process, or fix ${variable}`,
          ),
    ]
  } finally {
    client.close()
    transport.close()
  }
}
