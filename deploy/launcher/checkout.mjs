// Finds what a checkout needs before it can start: packages, or a build.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** @returns {Record<string, {version?: string, integrity?: string, optional?: boolean, os?: string[], cpu?: string[]}> | null} */
function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? null
  } catch {
    return null
  }
}

/** Whether npm's list of systems or processors includes this one. @param {string[]} names @param {string} here */
function isFor(names = [], here) {
  const wanted = names.filter((name) => !name.startsWith('!'))
  return !names.includes(`!${here}`) && (wanted.length === 0 || wanted.includes(here))
}

/**
 * Why `npm ci` must run first, as a sentence; `null` if `node_modules` matches the lockfile. Optional packages may be
 * missing, because they may be for other platforms. Packages of another platform mean that the folder was copied from
 * there.
 * @param {string} root
 * @returns {string | null}
 */
export function whyInstall(root) {
  const wanted = packagesOf(join(root, 'package-lock.json'))
  const present = packagesOf(join(root, 'node_modules', '.package-lock.json'))
  if (wanted === null) return null
  if (present === null) return 'Packages are not installed yet.'
  for (const [path, { version, integrity, optional, os, cpu }] of Object.entries(wanted)) {
    if (path === '') continue
    const found = present[path]
    const name = path.replace(/^node_modules\//, '')
    if (found === undefined && optional) continue
    if (found === undefined || found.version !== version || found.integrity !== integrity)
      return `The installed packages differ from package-lock.json (${name}).`
    if (!isFor(os, process.platform) || !isFor(cpu, process.arch))
      return `The installed packages are for another platform (${name}).`
  }
  return null
}

const folders = [
  'docs',
  'proto',
  'gateway',
  'services',
  'shared',
  'libs',
  'engine',
  'deploy',
  'dev',
  'clients',
]
const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']
/** Builds, and types, which are erased. */
const notBuilt = ['dist', 'generated']
const stampFile = 'dist/.stamp'
const bundles = 'dist/bundles'

/** @param {string} folder @returns {string[]} */
function sourcesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return notBuilt.includes(entry.name) ? [] : sourcesBelow(path)
    return /\.(ts|tsx|mjs|css|md)$/.test(entry.name) && !entry.name.endsWith('.test.ts') ? [path] : []
  })
}

/** A digest of the names, sizes and times of all inputs of the build. @param {string} root @returns {string} */
export function sourceStamp(root) {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0])
  const files = [
    ...settings.map((name) => join(root, name)),
    ...folders.flatMap((folder) => sourcesBelow(join(root, folder))),
  ]
  for (const file of files.sort()) {
    const { mtimeMs, size } = statSync(file)
    hash.update(`${file}\0${mtimeMs}\0${size}\0`)
  }
  return hash.digest('hex')
}

/** The stamp of the sources of `dist/`; `null` if its build did not complete. @param {string} root */
export function builtStamp(root) {
  if (!existsSync(join(root, bundles))) return null
  try {
    return readFileSync(join(root, stampFile), 'utf8')
  } catch {
    return null
  }
}

/** Makes the next build a full one. @param {string} root */
export function forgetBuild(root) {
  rmSync(join(root, 'dist', '.tsbuildinfo'), { force: true })
  rmSync(join(root, stampFile), { force: true })
}

/** Records that `dist/` is complete for these sources. @param {string} root @param {string} stamp */
export function noteBuild(root, stamp) {
  writeFileSync(join(root, stampFile), stamp)
}
