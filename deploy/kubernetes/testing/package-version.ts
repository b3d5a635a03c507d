import { readFileSync } from 'node:fs'
import { fieldOf } from '#libs/testing/kubernetes/kubernetes-object.js'

/** The version that package.json names, which a release gives to everything. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  )
  return String(fieldOf(manifest, 'version'))
}
