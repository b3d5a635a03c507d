import { lstatSync, mkdirSync, readFileSync, rmSync, type Stats, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '#libs/config/read-variables.js'
import { buildStamp } from './build-stamp.js'

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

/** Whether only this user writes to a folder: whoever else does could have their code run here. */
function isOurs(folder: Stats): boolean {
  return folder.isDirectory() && folder.uid === process.getuid?.() && (folder.mode & 0o022) === 0
}

function stampIn(folder: string): string | null {
  try {
    return readFileSync(join(folder, 'stamp'), 'utf8')
  } catch {
    return null
  }
}

/**
 * The folder in the data folder where Node 22.1 and later keep compiled code for the next start: empty when the build
 * is another, since Node itself never removes anything.
 * @returns `null` where there is no data folder yet, or someone else may write to it.
 */
export function compileCacheIn(dataDir: string, stamp = buildStamp()): string | null {
  const folder = join(dataDir, 'cache')
  const [parent, own] = [statOf(dataDir), statOf(folder)]
  if (parent === undefined || !isOurs(parent) || (own !== undefined && !isOurs(own))) return null
  if (stamp === null || stampIn(folder) === stamp) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(folder, 'stamp'), stamp, { mode: 0o600 })
  return folder
}

/** The operator's environment, with the folder for compiled code; the operator may name another one. */
export function withCompileCache(env: Environment, dataDir: string): Environment {
  if (env.NODE_COMPILE_CACHE !== undefined) return env
  const folder = compileCacheIn(dataDir)
  return folder === null ? env : { ...env, NODE_COMPILE_CACHE: folder }
}
