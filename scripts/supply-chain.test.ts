import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sourceFiles } from './source-files.js'

const root = resolve(import.meta.dirname, '..')

interface LockedPackage {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly link?: boolean
}

interface Lockfile {
  readonly lockfileVersion: number
  readonly packages: Readonly<Record<string, LockedPackage>>
}

/** What is wrong with a lockfile: a package without an integrity hash, or not from a registry. */
function lockfileProblems({ lockfileVersion, packages }: Lockfile): readonly string[] {
  const version = lockfileVersion === 3 ? [] : [`the lockfile has version ${lockfileVersion}`]
  const problems = Object.entries(packages).flatMap(([path, { resolved, integrity, link }]) => {
    if (path === '') return []
    if (link === true) return [`${path} is a link`]
    if (resolved !== undefined && !/^https:\/\/[^/]+\/.+\.tgz$/.test(resolved))
      return [`${path} comes from ${resolved}`]
    return integrity?.startsWith('sha512-') === true ? [] : [`${path} has no SHA-512`]
  })
  return [...version, ...problems]
}

const permissive =
  /^\(?(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|Unlicense|CC0-1\.0|Python-2\.0|PostgreSQL)\b/

const lockfile = JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8')) as Lockfile

describe('packages', () => {
  it('all come from a registry, with their SHA-512', () => {
    expect(lockfileProblems(lockfile)).toEqual([])
    expect(Object.keys(lockfile.packages).length).toBeGreaterThan(300)
  })

  it('that do not are detected', () => {
    const packages = {
      '': {},
      'node_modules/a': { resolved: 'git+ssh://git@example.com/a.git#1', integrity: 'sha512-x' },
      'node_modules/b': { integrity: 'sha1-x' },
      'node_modules/c': { link: true },
    }
    expect(lockfileProblems({ lockfileVersion: 2, packages })).toHaveLength(4)
  })

  it('that ship have a permissive licence', () => {
    const shipped = Object.entries(lockfile.packages).filter(([path, { dev }]) => path !== '' && dev !== true)
    const others = shipped.filter(([, { license = '' }]) => !permissive.test(license))
    expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([])
  })

  it('are at least a week old when added', () => {
    const { scripts } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>
    }
    const age = /^npm install .*--min-release-age=(\d+)$/.exec(scripts['take-package'] ?? '')?.[1]
    expect(Number(age)).toBeGreaterThanOrEqual(7)
  })

  it('run no install scripts', () => {
    const workflows = readdirSync(resolve(root, '.github/workflows')).map(
      (name) => `.github/workflows/${name}`,
    )
    const places = ['Dockerfile', '.ci/run', 'CONTRIBUTING.md', ...workflows]
    const installs = places.flatMap((place) =>
      [...readFileSync(resolve(root, place), 'utf8').matchAll(/npm ci\b.*/g)].map(
        ([line]) => `${place}: ${line}`,
      ),
    )
    expect(installs.length).toBeGreaterThan(8)
    for (const line of installs) expect(line).toContain('--ignore-scripts')
    expect(readFileSync(resolve(root, 'deploy/launcher/prepare.mjs'), 'utf8')).toMatch(
      /\['ci', '--ignore-scripts',/,
    )
    // For those who type it without the scope.
    expect(readFileSync(resolve(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m)
  })
})

/** The first versions with fixes that matter here. */
const fixedIn: Readonly<Record<string, string>> = {
  // Memory exhaustion by messages beyond the limit (CVE-2024-37168), and by malformed frames and compression.
  '@grpc/grpc-js': '1.14.4',
  // Bodies and paths forwarded twice (CVE-2025-32996, CVE-2025-32997).
  'http-proxy-middleware': '3.0.5',
  // Compressed tokens of any size (CVE-2024-28176).
  jose: '4.15.5',
  // Prototype pollution by a message (CVE-2023-36665).
  protobufjs: '7.2.5',
  // Catastrophic backtracking (CVE-2024-45296).
  'path-to-regexp': '8.0.0',
}

function isOlder(version: string, than: string): boolean {
  const [ours, theirs] = [version, than].map((text) => text.split('.').map(Number))
  for (const [place, number] of (theirs ?? []).entries()) {
    const difference = (ours?.[place] ?? 0) - number
    if (difference !== 0) return difference < 0
  }
  return false
}

describe('packages that ship', () => {
  it.each(Object.entries(fixedIn))('have %s at %s or later, wherever it is installed', (name, floor) => {
    const versions = Object.entries(lockfile.packages)
      .filter(([path, { dev }]) => path.endsWith(`node_modules/${name}`) && dev !== true)
      .map(([, { version = '0' }]) => version)
    expect(versions).not.toEqual([])
    expect(versions.filter((version) => isOlder(version, floor))).toEqual([])
  })

  it('that are older are detected', () => {
    expect(
      ['1.14.3', '1.9.10', '0.99.99', '1.14.4', '1.15.0', '2.0.0'].map((one) => isOlder(one, '1.14.4')),
    ).toEqual([true, true, true, false, false, false])
  })
})

/** Where production code makes HTTP requests itself, and to whom; drivers have homes of their own. */
const callers: Readonly<Record<string, string>> = {
  'deploy/container/health-probe.ts': 'the process of the same container',
  'dev/users/main.ts': 'the development issuer and the sandbox of the same machine',
  'deploy/launcher/system.ts': 'the gateway of the same machine',
  'gateway/auth/check-cli-redirect.ts': 'the configured issuers',
  'gateway/auth/check-issuer.ts': 'the configured issuers',
  'gateway/auth/fetch-key-set.ts': 'the configured issuers',
  'gateway/check-public-address.ts': 'PUBLIC_BASE_URL',
  'gateway/features/health/readiness.ts': 'web',
  'gateway/features/mcp/in-process-fetch.ts': 'this process, without a socket',
  'libs/doctor/check-http.ts': 'an address of the configuration',
  'dev/payment-sandbox/deliveries.ts': 'our own webhook',
}

it('only this code makes HTTP requests: no URL from a caller is ever fetched', async () => {
  const calls = /(?<![.\w])fetch\(|(?<![.\w])https?Request\(|(?<![.\w])request\(\s*\{|new WebSocket\(/
  const shipped = (await sourceFiles(root)).filter(
    ({ path }) =>
      /^(gateway|services|shared|libs|engine|deploy|dev)\//.test(path) &&
      !/\.test\.ts$|\/testing\/|-contract\.ts$|^services\/web\/browser\/|\.json$/.test(path),
  )
  const found = shipped.filter(({ text }) => calls.test(text)).map(({ path }) => path)
  expect(found.sort()).toEqual(Object.keys(callers).sort())
})
