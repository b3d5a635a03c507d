import { readFileSync } from 'node:fs'
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
