import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CertificateFiles } from '../grpc/certificate-files.js'

/** The options of a certificate; by default the SPIFFE id of the process, valid for a day. */
export interface CertificateOptions {
  /** Names such as `URI:spiffe://snipkeep/gateway` and `DNS:gateway`, separated by commas. */
  readonly subjectAltName: string
  /** Negative for an expired one. */
  readonly days?: number
}

/** An authority for tests. */
export interface TestAuthority {
  readonly caFile: string
  /** Creates a certificate under this name, replacing an older one. */
  issue(name: string, request?: CertificateOptions): CertificateFiles
  remove(): void
}

/** A value in DER: its tag, its length and its content. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  const size = content.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

function sequence(...contents: readonly Uint8Array[]): Buffer {
  return der(0x30, ...contents)
}

/** An object identifier, from the hexadecimal digits of its content. */
function identifier(content: string): Buffer {
  return der(0x06, Buffer.from(content, 'hex'))
}

const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'))

function commonName(name: string): Buffer {
  return sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from(name)))))
}

function utcTime(at: Date): Buffer {
  return der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replaceAll(/\D/g, '')}Z`))
}

/** An extension of a certificate, from the hexadecimal digits of its identifier's content. */
function extension(id: string, value: Buffer): Buffer {
  return sequence(identifier(id), der(0x04, value))
}

const ofAuthority = [extension('551d13', sequence(der(0x01, Buffer.from([0xff]))))]

function ofProcess(subjectAltName: string): readonly Buffer[] {
  const names = subjectAltName
    .split(',')
    .map((name) => der(name.startsWith('URI:') ? 0x86 : 0x82, Buffer.from(name.slice(4))))
  const server = identifier('2b06010505070301')
  const client = identifier('2b06010505070302')
  return [extension('551d11', sequence(...names)), extension('551d25', sequence(server, client))]
}

interface Subject {
  readonly name: string
  readonly publicKey: KeyObject
  readonly extensions: readonly Buffer[]
  readonly days: number
}

/** A certificate of X.509, version 3, in PEM. */
function certificate(issuer: string, issuerKey: KeyObject, subject: Subject): string {
  const { name, publicKey, extensions, days } = subject
  const dayMs = 86_400_000
  const ends = Date.now() + days * dayMs
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(16)),
    ecdsaWithSha256,
    commonName(issuer),
    sequence(utcTime(new Date(Math.min(Date.now(), ends) - dayMs)), utcTime(new Date(ends))),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, issuerKey))
  const lines =
    sequence(signed, ecdsaWithSha256, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

/** Creates an authority in a temporary folder. */
export function createTestAuthority(name = 'authority'): TestAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'snipkeep-tls-'))
  const at = (file: string): string => join(folder, file)
  const keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const caFile = at('ca.crt')
  const own = { name, publicKey: keys.publicKey, extensions: ofAuthority, days: 2 }
  writeFileSync(caFile, certificate(name, keys.privateKey, own))
  return {
    caFile,
    issue(process, { subjectAltName, days = 1 } = { subjectAltName: `URI:spiffe://snipkeep/${process}` }) {
      const [keyFile, certFile] = [at(`${process}.key`), at(`${process}.crt`)]
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
      const subject = { name: process, publicKey, extensions: ofProcess(subjectAltName), days }
      writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
      writeFileSync(certFile, certificate(name, keys.privateKey, subject))
      return { caFile, certFile, keyFile }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
