import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ConfigError } from '../config/read-variables.js'
import { type Finding, ok, problem, warning } from '../doctor/finding.js'
import { createLogger } from '../log/logger.js'
import type { CertificateFiles } from './certificate-files.js'
import { peerIdentity } from './peer-identity.js'
import { openTransport } from './transport.js'

const check = 'certificates'
/** Automatic renewal happens when a third of the lifetime is left. */
const shareLeftMin = 0.1

/**
 * Whether the certificates of a process are usable, name it and are not about to expire; nothing if gRPC is in plain
 * text.
 */
export function checkCertificates(
  process: string,
  files: CertificateFiles | null,
  now: Date,
): readonly Finding[] {
  return files === null ? [] : [certificateFinding(process, files, now)]
}

function certificateFinding(process: string, files: CertificateFiles, now: Date): Finding {
  try {
    openTransport(files, createLogger('doctor', 'silent')).close()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return problem(
      check,
      error.problems.join(' '),
      'replace the GRPC_TLS_* files with ones that belong together',
    )
  }
  const certificate = new X509Certificate(readFileSync(files.certFile))
  const named = peerIdentity({ subjectaltname: certificate.subjectAltName })
  const renew = `put a certificate with the URI spiffe://snipkeep/${process} into ${files.certFile}`
  if (named !== process)
    return problem(check, `the certificate names ${named ?? 'no process'}, not ${process}`, renew)
  const [from, until] = [new Date(certificate.validFrom), new Date(certificate.validTo)]
  if (now < from || now >= until)
    return problem(
      check,
      `the certificate is valid from ${from.toISOString()} to ${until.toISOString()}`,
      renew,
    )
  const left = (until.getTime() - now.getTime()) / (until.getTime() - from.getTime())
  return left < shareLeftMin
    ? warning(check, `the certificate expires on ${until.toISOString()}`, renew)
    : ok(check, `the certificate of ${process} is valid until ${until.toISOString()}`)
}
