import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ourBundles = fileURLToPath(new URL('../../bundles', import.meta.url))

/** Where the build says which files it has written, below the folder of the bundles. */
const listFile = 'files.json'

/**
 * Removes what earlier builds left in the folder of the bundles. A build itself removes nothing, for a running system
 * still loads some of its files. What is newer than the list belongs to a build that goes on.
 */
export async function removeOldBundles(folder = ourBundles): Promise<void> {
  const list = join(folder, listFile)
  const text = await readFile(list, 'utf8').catch(() => null)
  // An image has one build.
  if (text === null) return
  const current: ReadonlySet<string> = new Set([listFile, ...(JSON.parse(text) as string[])])
  const { mtimeMs: listedAt } = await stat(list)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || current.has(path.slice(folder.length + 1))) continue
    const { mtimeMs } = await stat(path)
    // Where another user has built, it stays.
    if (mtimeMs < listedAt) await rm(path, { force: true }).catch(() => {})
  }
}
