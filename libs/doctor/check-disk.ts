import { statfs } from 'node:fs/promises'
import { type Finding, ok, problem, skipped, warning } from './finding.js'

const mebibyte = 1024 * 1024

/** The minimum for a database to keep running, in MiB. */
const limits = { warning: 1024, problem: 128 }

/** Judges the free space. */
export function freeSpaceFinding(folder: string, freeBytes: number): Finding {
  const free = Math.floor(freeBytes / mebibyte)
  const message = `${free} MiB are free for ${folder}`
  const remedy = `free up space on the disk of ${folder}, or set DATA_DIR to a folder on another disk`
  if (free < limits.problem) return problem('disk', message, remedy)
  if (free < limits.warning) return warning('disk', message, remedy)
  return ok('disk', message)
}

/** The free space on the disk of a folder. */
export async function checkDisk(folder: string): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return freeSpaceFinding(folder, bavail * bsize)
  } catch {
    return skipped('disk', `${folder} is not there yet`)
  }
}
