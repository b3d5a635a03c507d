import { readFileSync } from 'node:fs'
import { fieldOf } from '#libs/testing/kubernetes/kubernetes-object.js'

/** The version in package.json, which everything in a release has. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  )
  return String(fieldOf(manifest, 'version'))
}
