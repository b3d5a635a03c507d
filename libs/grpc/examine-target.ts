import { type Finding, ok, problem, warning } from '../doctor/finding.js'
import { isLoopback } from './grpc-variables.js'
import { healthClient } from './health-client.js'

/** A process that is called, by the variable that names it. */
export interface TargetSettings {
  readonly variable: string
  readonly target: string
}

const timeoutMs = 3_000

function staysHere(target: string): boolean {
  const addresses = target.replace(/^(dns:(\/\/[^/]*\/)?|ipv[46]:)/, '').split(',')
  return addresses.every(isLoopback)
}

/** Whether the process at a gRPC target serves, and whether the way there is safe. */
export async function examineTarget({ variable, target }: TargetSettings): Promise<readonly Finding[]> {
  const check = `grpc ${variable.replace('_GRPC_TARGET', '').toLowerCase()}`
  const client = healthClient(target)
  try {
    const answers = (await client.isServing(timeoutMs))
      ? ok(check, `${target} serves`)
      : problem(check, `nothing serves gRPC at ${target}`, `start that process, or correct ${variable}`)
    if (staysHere(target)) return [answers]
    const remedy = `keep ${variable} on loopback, or within a network that nobody else can read`
    return [answers, warning(check, `calls to ${target} travel in plain text`, remedy)]
  } finally {
    client.close()
  }
}
