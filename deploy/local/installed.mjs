import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @returns {Record<string, {version?: string, integrity?: string, optional?: boolean}> | null} */
function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? null
  } catch {
    return null
  }
}

/**
 * Why `npm ci` must run before anything else can: a sentence, or `null` when everything that the lockfile names lies in
 * `node_modules` in its version. Optional packages may be absent, for they are for other platforms.
 * @param {string} root
 * @returns {string | null}
 */
export function whyInstall(root) {
  const wanted = packagesOf(join(root, 'package-lock.json'))
  const present = packagesOf(join(root, 'node_modules', '.package-lock.json'))
  if (wanted === null) return null
  if (present === null) return 'The packages that Snipkeep needs are not installed yet.'
  for (const [path, { version, integrity, optional }] of Object.entries(wanted)) {
    if (path === '') continue
    const found = present[path]
    if (found === undefined && optional) continue
    if (found === undefined || found.version !== version || found.integrity !== integrity)
      return `The installed packages differ from package-lock.json (${path.replace(/^node_modules\//, '')}).`
  }
  return null
}
