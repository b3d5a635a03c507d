// What a checkout lacks before it can start: packages, or a build of its sources.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** @returns {Record<string, {version?: string, integrity?: string, optional?: boolean, os?: string[], cpu?: string[]}> | null} */
function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? null
  } catch {
    return null
  }
}

/** Whether a package for these systems or processors, as npm lists them, is for this one. @param {string[]} names @param {string} here */
function isFor(names = [], here) {
  const wanted = names.filter((name) => !name.startsWith('!'))
  return !names.includes(`!${here}`) && (wanted.length === 0 || wanted.includes(here))
}

/**
 * Why `npm ci` must run before anything else can: a sentence, or `null` when everything that the lockfile names lies in
 * `node_modules` in its version. Optional packages may be absent, for they are for other platforms; those of another
 * platform that lie there came with a folder that was copied from it.
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

const rooms = ['proto', 'gateway', 'services', 'shared', 'libs', 'deploy', 'clients']
const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']
const stampFile = 'dist/.stamp'

/** @param {string} folder @returns {string[]} */
function sourcesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'dist' ? [] : sourcesBelow(path)
    return /\.(ts|tsx|css)$/.test(entry.name) && !entry.name.endsWith('.test.ts') ? [path] : []
  })
}

/** A digest of the names, sizes and times of everything that the build reads. @param {string} root @returns {string} */
export function sourceStamp(root) {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0])
  const files = [
    ...settings.map((name) => join(root, name)),
    ...rooms.flatMap((room) => sourcesBelow(join(root, room))),
  ]
  for (const file of files.sort()) {
    const { mtimeMs, size } = statSync(file)
    hash.update(`${file}\0${mtimeMs}\0${size}\0`)
  }
  return hash.digest('hex')
}

/** The stamp of the sources that `dist/` was built from; `null` when it was not built whole. @param {string} root */
export function builtStamp(root) {
  try {
    return readFileSync(join(root, stampFile), 'utf8')
  } catch {
    return null
  }
}

/** Has the next build write every file, whatever an incremental one would leave out. @param {string} root */
export function forgetBuild(root) {
  rmSync(join(root, 'dist', '.tsbuildinfo'), { force: true })
  rmSync(join(root, stampFile), { force: true })
}

/** Notes that `dist/` was built whole from these sources. @param {string} root @param {string} stamp */
export function noteBuild(root, stamp) {
  writeFileSync(join(root, stampFile), stamp)
}
