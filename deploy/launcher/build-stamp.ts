import { readFileSync } from 'node:fs'

const stampFile = new URL('../../.stamp', import.meta.url)

/** The digest of the sources of this build; `null` in an image. */
export function buildStamp(): string | null {
  try {
    return readFileSync(stampFile, 'utf8')
  } catch {
    return null
  }
}
