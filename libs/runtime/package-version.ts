import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version in the package.json above this file; `unknown` without one. */
export function packageVersion(folder = import.meta.dirname): string {
  const path = join(folder, 'package.json')
  if (!existsSync(path)) return folder === '/' ? 'unknown' : packageVersion(join(folder, '..'))
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version?: unknown }
  return typeof version === 'string' ? version : 'unknown'
}
