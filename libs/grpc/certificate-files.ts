import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { experimental } from '@grpc/grpc-js'
import { messageOf } from '../core/message-of.js'
import type { Logger } from '../log/logger.js'

/** Where the certificates of a process are, in PEM. */
export interface CertificateFiles {
  /** The authorities of the other processes; several during a rotation. */
  readonly caFile: string
  /** Our own certificate, followed by its chain. */
  readonly certFile: string
  readonly keyFile: string
}

interface Loaded {
  readonly ca: Buffer
  readonly certificate: Buffer
  readonly privateKey: Buffer
  readonly expiresAt: Date
}

/**
 * Reads the three files.
 * @throws Error that says what is wrong with them as a set.
 */
function load({ caFile, certFile, keyFile }: CertificateFiles): Loaded {
  const [ca, certificate, privateKey] = [caFile, certFile, keyFile].map((path) => readFileSync(path)) as [
    Buffer,
    Buffer,
    Buffer,
  ]
  // Throws if anything cannot be read, or the key does not match the certificate.
  createSecureContext({ ca, cert: certificate, key: privateKey })
  new X509Certificate(ca)
  return { ca, certificate, privateKey, expiresAt: new Date(new X509Certificate(certificate).validTo) }
}

/** Certificates that are reloaded when their files change. */
export interface CertificateSource {
  readonly provider: experimental.CertificateProvider
  /** When our own certificate expires. */
  expiresAt(): Date
  close(): void
}

/** The interval at which files are checked for changes, in milliseconds. */
const defaultCheckIntervalMs = 1_000

/**
 * Certificates from these files, checked every second. An unusable set, such as a half-replaced one, is logged and
 * retried; the last good one stays in use.
 * @throws Error if the first set is unusable.
 */
export function followCertificateFiles(
  files: CertificateFiles,
  log: Logger,
  checkIntervalMs = defaultCheckIntervalMs,
): CertificateSource {
  let current = load(files)
  let problem = ''
  const ofCa = new Set<experimental.CaCertificateUpdateListener>()
  const ofIdentity = new Set<experimental.IdentityCertificateUpdateListener>()
  const caUpdate = () => ({ caCertificate: current.ca })
  const identityUpdate = () => ({ certificate: current.certificate, privateKey: current.privateKey })

  const reload = (): void => {
    try {
      const found = load(files)
      problem = ''
      const same = (['ca', 'certificate', 'privateKey'] as const).every((part) =>
        found[part].equals(current[part]),
      )
      if (same) return
      current = found
      for (const listener of ofCa) listener(caUpdate())
      for (const listener of ofIdentity) listener(identityUpdate())
      log.info(
        { event: 'certificates_reloaded', expires_at: current.expiresAt.toISOString() },
        'certificates reloaded',
      )
    } catch (error) {
      const said = messageOf(error)
      if (said !== problem)
        log.warn(
          { event: 'certificates_invalid', err: error },
          'new certificates are invalid; keeping the old ones',
        )
      problem = said
    }
  }
  const timer = setInterval(reload, checkIntervalMs)
  timer.unref()

  return {
    provider: {
      addCaCertificateListener(listener) {
        ofCa.add(listener)
        process.nextTick(() => listener(caUpdate()))
      },
      removeCaCertificateListener: (listener) => void ofCa.delete(listener),
      addIdentityCertificateListener(listener) {
        ofIdentity.add(listener)
        process.nextTick(() => listener(identityUpdate()))
      },
      removeIdentityCertificateListener: (listener) => void ofIdentity.delete(listener),
    },
    expiresAt: () => current.expiresAt,
    close: () => clearInterval(timer),
  }
}
