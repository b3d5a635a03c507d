import { execFileSync, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import type { CertificateFiles } from '#libs/grpc/certificate-files.js'
import { callGuarded, callUnproven, startGuardedServer } from '#libs/grpc/testing/guarded-server.js'
import { openTransport } from '#libs/grpc/transport.js'
import { createLogger } from '#libs/log/logger.js'
import { describeWithOpenssl } from '#libs/testing/describe-with-openssl.js'

const log = createLogger('test', 'silent')
const script = 'deploy/compose/make-certificates.sh'
const processes = ['gateway', 'web', 'content', 'identity', 'activity', 'billing', 'tools'] as const
const folders: string[] = []

/** A folder with the scripts, as in a clone. */
function clone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'snipkeep-certificates-'))
  folders.push(folder)
  mkdirSync(join(folder, 'deploy'))
  for (const part of ['compose', 'observability'])
    cpSync(join('deploy', part), join(folder, 'deploy', part), { recursive: true })
  return folder
}

/** Runs the script, without its pause for running processes to load a new authority. */
function make(folder: string): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'sleep'), '#!/bin/sh\n', { mode: 0o755 })
  const env = { PATH: `${bin}:${process.env.PATH ?? ''}` }
  return execFileSync('sh', [script], { cwd: folder, encoding: 'utf8', env })
}

function filesOf(folder: string, process: string): CertificateFiles {
  const at = (name: string): string => join(folder, '.certificates', process, name)
  return { caFile: at('ca.crt'), certFile: at('tls.crt'), keyFile: at('tls.key') }
}

function certificateOf(folder: string, process: string): X509Certificate {
  return new X509Certificate(readFileSync(filesOf(folder, process).certFile))
}

function modeOf(...path: readonly string[]): number {
  return statSync(join(...path)).mode & 0o777
}

/** Has the existing authority sign a certificate for content that is valid for this many days. */
function plant(folder: string, days: number): void {
  const at = join(folder, '.certificates')
  const { keyFile, certFile } = filesOf(folder, 'content')
  const extensions = join(folder, 'extensions')
  writeFileSync(extensions, 'subjectAltName = URI:spiffe://snipkeep/content\n')
  const request = execFileSync('openssl', ['req', '-new', '-key', keyFile, '-subj', '/CN=content'])
  const ca = ['-CA', join(at, 'authority/ca.crt'), '-CAkey', join(at, 'authority/ca.key')]
  const signing = ['x509', '-req', ...ca, '-set_serial', '7', '-days', String(days), '-extfile', extensions]
  execFileSync('openssl', [...signing, '-out', certFile], { input: request, stdio: 'pipe' })
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** Files that containers read, in a clone made under a strict umask. */
const closed = [
  'deploy/compose/make-roles.sh',
  'deploy/compose/haproxy.cfg',
  'deploy/observability/prometheus',
]
const folder = clone()
beforeAll(() => {
  for (const name of closed) chmodSync(join(folder, name), 0o700)
  execFileSync('sh', ['-c', 'umask 077; sh deploy/compose/make-env.sh'], { cwd: folder })
})

/** A copy of the installation, with the same certificates. */
function copyOfInstallation(): string {
  const copy = clone()
  cpSync(join(folder, '.certificates'), join(copy, '.certificates'), { recursive: true })
  return copy
}

describeWithOpenssl('the certificates of compose', () => {
  it('under a strict umask, files for containers are readable and secrets are private', () => {
    for (const name of closed) expect([name, modeOf(folder, name) & 0o044]).toEqual([name, 0o044])
    expect(modeOf(folder, 'deploy/observability/prometheus') & 0o011).toBe(0o011)
    expect(modeOf(folder, '.env')).toBe(0o600)
  })

  it('are private on the host and readable in containers', () => {
    expect(modeOf(folder, '.certificates')).toBe(0o700)
    for (const name of ['authority/ca.key', 'authority/ca.crt'])
      expect(modeOf(folder, '.certificates', name)).toBe(0o600)
    for (const process of processes) {
      expect(modeOf(folder, '.certificates', process)).toBe(0o755)
      for (const file of Object.values(filesOf(folder, process))) expect(modeOf(file)).toBe(0o644)
    }
  })

  it('survive a second run', () => {
    const before = processes.map((process) => certificateOf(folder, process).serialNumber)
    expect(make(folder)).toContain('are good')
    expect(processes.map((process) => certificateOf(folder, process).serialNumber)).toEqual(before)
  })

  it('are renewed when they expire soon, a key has changed, or one is missing', () => {
    const folder = copyOfInstallation()
    plant(folder, 59)
    expect(make(folder)).toContain('for: content.')
    expect(certificateOf(folder, 'content').serialNumber).not.toBe('07')
    plant(folder, 61)
    make(folder)
    expect(certificateOf(folder, 'content').serialNumber).toBe('07')
    cpSync(filesOf(folder, 'web').keyFile, filesOf(folder, 'gateway').keyFile)
    rmSync(filesOf(folder, 'billing').certFile)
    expect(make(folder)).toContain('for: gateway billing.')
    expect(() => openTransport(filesOf(folder, 'gateway'), log).close()).not.toThrow()
  })

  it('report a missing openssl', () => {
    const bin = join(clone(), 'bin')
    mkdirSync(bin)
    for (const name of ['sh', 'dirname']) {
      const path = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
      symlinkSync(path, join(bin, name))
    }
    const { status, stderr } = spawnSync(join(bin, 'sh'), [script], {
      cwd: join(bin, '..'),
      env: { PATH: bin },
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^openssl is missing.*Install it/)
  })
})

describeWithOpenssl('an authority that expires soon', () => {
  it('is replaced, and both are trusted until the old one expires', () => {
    const folder = copyOfInstallation()
    const at = join(folder, '.certificates/authority')
    const ca = ['req', '-x509', '-key', join(at, 'ca.key'), '-days', '399', '-subj', '/CN=former']
    execFileSync('openssl', [...ca, '-out', join(at, 'ca.crt')])
    const former = readFileSync(join(at, 'ca.crt'), 'utf8')
    expect(make(folder)).toContain('for: gateway web content identity activity billing tools.')
    const trusted = readFileSync(filesOf(folder, 'web').caFile, 'utf8')
    expect(trusted).toBe(readFileSync(join(at, 'ca.crt'), 'utf8') + former)
    const [newest] = trusted.split(/(?<=-----END CERTIFICATE-----\n)/)
    expect(certificateOf(folder, 'web').verify(new X509Certificate(newest ?? '').publicKey)).toBe(true)
  })
})

const service = z.object({
  environment: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  volumes: z.array(z.union([z.string(), z.object({ source: z.string(), target: z.string() })])).default([]),
})
const services = z
  .object({ services: z.record(z.string(), service) })
  .parse(parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true })).services

/** The files in the environment of a compose service, as paths outside the container. */
function mountedFiles(folder: string, name: string): CertificateFiles {
  const { environment = {}, volumes = [] } = services[name] ?? {}
  const find = (variable: string): string => {
    const path = String(environment[variable])
    const mount = volumes.find((one) => typeof one === 'object' && path.startsWith(`${one.target}/`))
    if (typeof mount !== 'object') throw new Error(`${name} mounts nothing at ${path}`)
    return join(folder, mount.source, basename(path))
  }
  return {
    caFile: find('GRPC_TLS_CA_FILE'),
    certFile: find('GRPC_TLS_CERT_FILE'),
    keyFile: find('GRPC_TLS_KEY_FILE'),
  }
}

/** The calls between services, by the addresses in their environments. */
const edges = Object.entries(services).flatMap(([caller, { environment }]) =>
  Object.entries(environment).flatMap(([name, value]) => {
    const [, target] = /^dns:\/\/\/(\w+):\d+$/.exec(String(value)) ?? []
    return name.endsWith('_GRPC_TARGET') && target !== undefined ? [{ caller, target }] : []
  }),
)
const targets = [...new Set(edges.map(({ target }) => target))]
const processOf = (name: string): string => name.replace(/-\d+$/, '')

describeWithOpenssl('with the certificates that make-env.sh makes', () => {
  const stranger = clone()
  beforeAll(() => void make(stranger))

  /** Serves like a process of compose, for its callers there. */
  async function withServer(target: string, use: (port: number) => Promise<void>): Promise<void> {
    const callers = edges.filter((edge) => edge.target === target).map(({ caller }) => processOf(caller))
    const server = await startGuardedServer(mountedFiles(folder, target), callers)
    await use(server.port).finally(() => server.stop())
  }

  it('the system’s edges exist', () => {
    expect(edges.length).toBe(21)
    expect(targets.sort()).toEqual(['activity', 'billing', 'content', 'identity', 'tools'])
  })

  it.each(targets)('%s accepts its callers and no one else', async (target) => {
    await withServer(target, async (port) => {
      const allowed = new Set(edges.filter((edge) => edge.target === target).map(({ caller }) => caller))
      const call = (files: CertificateFiles) => callGuarded(files, target, port)
      for (const caller of allowed)
        expect([caller, await call(mountedFiles(folder, caller))]).toEqual([caller, 'OK'])
      for (const other of processes.filter((process) => !allowed.has(process)))
        expect([other, await call(mountedFiles(folder, other))]).toEqual([other, 'PERMISSION_DENIED'])
      // A certificate of another installation, no certificate, and plain text.
      expect(await call(filesOf(stranger, 'gateway'))).toBe('UNAVAILABLE')
      const { caFile } = filesOf(folder, 'gateway')
      expect(await callUnproven(caFile, port)).toEqual(['UNAVAILABLE', 'UNAVAILABLE'])
    })
  })

  it('no process can impersonate another', async () => {
    await withServer('content', async (port) =>
      expect(await callGuarded(mountedFiles(folder, 'gateway'), 'identity', port)).toBe('UNAVAILABLE'),
    )
  })
})
