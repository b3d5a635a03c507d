import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CertificateFiles } from '../grpc/certificate-files.js'

/** The options of a certificate; by default the SPIFFE id of the process, valid for a day. */
export interface CertificateOptions {
  /** As openssl writes it, such as `URI:spiffe://snipkeep/gateway`. */
  readonly subjectAltName: string
  /** Negative for an expired one. */
  readonly days?: number
}

/** An authority for tests, made with openssl. */
export interface TestAuthority {
  readonly caFile: string
  /** Creates a certificate under this name, replacing an older one. */
  issue(name: string, request?: CertificateOptions): CertificateFiles
  remove(): void
}

const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** Creates an authority in a temporary folder. */
export function createTestAuthority(name = 'authority'): TestAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'snipkeep-tls-'))
  const at = (file: string): string => join(folder, file)
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  }
  const caFile = at('ca.crt')
  const ca = ['-x509', ...ec, '-keyout', at('ca.key'), '-out', caFile, '-days', '2', '-subj', `/CN=${name}`]
  openssl('req', ...ca)
  return {
    caFile,
    issue(process, { subjectAltName, days = 1 } = { subjectAltName: `URI:spiffe://snipkeep/${process}` }) {
      const [keyFile, certFile, request] = [at(`${process}.key`), at(`${process}.crt`), at(`${process}.csr`)]
      openssl('req', ...ec, '-keyout', keyFile, '-out', request, '-subj', `/CN=${process}`)
      writeFileSync(
        at('extensions'),
        `subjectAltName=${subjectAltName}\nextendedKeyUsage=serverAuth,clientAuth\n`,
      )
      const signing = ['-CA', caFile, '-CAkey', at('ca.key'), '-CAcreateserial', '-extfile', at('extensions')]
      openssl('x509', '-req', '-in', request, ...signing, '-out', certFile, '-days', String(days))
      return { caFile, certFile, keyFile }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
