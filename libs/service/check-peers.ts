import type { Check } from '../doctor/run-doctor.js'
import { checkCertificates } from '../grpc/check-certificates.js'
import { checkPlainText, checkTarget } from '../grpc/check-target.js'
import type { PeerConfig } from './peer-config.js'

/** Checks of a process that calls others: its certificates, and whether they respond. */
export function peerChecks(
  process: string,
  { certificates }: Pick<PeerConfig, 'certificates'>,
  targets: Readonly<Record<string, string>>,
): readonly Check[] {
  const variableOf = (name: string): string => `${name.toUpperCase()}_GRPC_TARGET`
  const byVariable = Object.fromEntries(
    Object.entries(targets).map(([name, target]) => [variableOf(name), target]),
  )
  return [
    {
      name: 'certificates',
      run: async () => checkCertificates(process, certificates, new Date()),
    },
    { name: 'plain text', run: async () => checkPlainText(byVariable, certificates) },
    ...Object.entries(targets).map(([name, target]) => ({
      name: `grpc ${name}`,
      run: () => checkTarget({ variable: variableOf(name), target, certificates }),
    })),
  ]
}
